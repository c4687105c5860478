"""Serve the published pages to browsers, in a process without rules, saves or keys."""
