"""The pure heart: values, rules of play, grammar. No files, no clock, no chance, no screen."""
