"""The value: combatants, the encounter, what happened to it, and who may see what."""
