"""Write a fight for its readers: the log in words, the state as JSON."""
