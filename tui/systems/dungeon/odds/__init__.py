"""The odds of a meeting, before its dice: which side wins, and the track that follows."""
