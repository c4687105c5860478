"""What keys do: on the board, in the prompt, in a form, a choice, a menu, a text."""
