"""Other tools' files in, the story of a fight out: bytes and values, and nothing is opened, fetched or run here."""
