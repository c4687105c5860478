"""The table around a fight: what players' terminals read, and what they send."""
