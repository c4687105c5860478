"""Looking on while somebody else writes."""
