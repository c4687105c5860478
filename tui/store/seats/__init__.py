"""Players' seats: their keys, what they send to whoever writes the save, and what they are answered."""
