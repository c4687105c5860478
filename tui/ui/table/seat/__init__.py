"""A player's seat on the screen: what may be sent now, the order form, lines, dice, and what became of them."""
