"""Serve a fight to browsers from the process that writes it: pages out, lines of players in."""
