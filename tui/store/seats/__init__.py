"""Players' seats: their keys, what they send to the writer of the save, and what they are answered."""
