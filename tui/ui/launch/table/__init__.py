"""The ways into a player's terminal."""
