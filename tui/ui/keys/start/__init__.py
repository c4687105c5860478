"""What keys do on the start screen."""
