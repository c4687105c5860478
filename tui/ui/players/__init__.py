"""Players' terminals: the screens of `view` and `seat`, made from the published page only."""
