"""Read the files of other tools, and write the story of a fight. Nothing here opens a file or an address."""
