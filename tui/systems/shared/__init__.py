"""Hold code that several systems share and plug-ins may use: the track, its ties, rows without numbers."""
