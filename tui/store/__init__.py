"""Hold state and disk: the store is the only part of the program whose values change."""
