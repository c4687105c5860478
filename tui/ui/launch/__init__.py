"""From the command line to a screen: settings, drafts, the save, and what to do when it is taken."""
