"""The desks: what each key does on the board, in the prompt, in a form, a choice, a menu, a text."""
