"""Provide clean text, remembered results and errors to the whole core; no rule of play is in this package."""
