"""Hold code that several systems share and plug-ins may use: the track and its ties."""
