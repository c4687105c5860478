"""Players' terminals: what `view` and `seat` show, made of the published page alone. No rules, no save, no Textual."""
