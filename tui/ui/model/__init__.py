"""What the screen shows and how keys change it, as pure functions and frozen values: no Textual in here."""
