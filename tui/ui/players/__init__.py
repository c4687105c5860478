"""Players' terminals: what `view` and `seat` show, made from the published page only."""
