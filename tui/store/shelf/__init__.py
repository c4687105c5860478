"""The folder of saves as a shelf: what stands there, told cheaply; and fights copied, renamed, thrown away."""
