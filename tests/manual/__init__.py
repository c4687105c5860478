"""The tables of the manual, made from the program's own."""
