"""Configuration, themes and drafts."""
