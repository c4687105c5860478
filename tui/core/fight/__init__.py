"""Define the fight as values: combatants, the encounter, its events, and which viewer may see what."""
