"""A small machine, imitated: a quarter of a core, little memory, a disk that syncs slowly, behind a slow line."""
