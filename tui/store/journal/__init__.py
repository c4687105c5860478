"""The journal: an append-only TOML file in which every record is sealed."""
