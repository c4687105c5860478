"""Keys for what a creature bears: its counters, its card, its conditions."""
