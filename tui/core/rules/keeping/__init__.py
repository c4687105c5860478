"""Between a fight and what outlasts it: the library, and other saves."""
