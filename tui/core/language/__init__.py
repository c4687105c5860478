"""Words in and out: actions, the grammar, and whom a word means."""
