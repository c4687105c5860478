"""What a fight on the screen reaches beyond itself: files of other tools, and the user's editor."""
