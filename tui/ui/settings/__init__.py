"""Settings, themes and drafts."""
