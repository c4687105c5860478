"""Hold the pure part of the program: values, rules of play, grammar.

It uses no file, clock, dice or screen.
"""
