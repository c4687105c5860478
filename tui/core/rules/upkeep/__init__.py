"""What is kept of a creature from turn to turn: counters, death saves, concentration, and the house rules for them."""
