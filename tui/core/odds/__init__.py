"""Who will stand where before the dice have fallen: plain arithmetic, without an encounter and without chance."""
