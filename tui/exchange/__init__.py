"""Read the files of other tools and write the story of a fight; no file or address is opened by this room."""
