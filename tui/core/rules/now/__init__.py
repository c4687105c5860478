"""The present moment in words, and what follows from it without a choice."""
