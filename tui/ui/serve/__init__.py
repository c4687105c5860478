"""Serve the published pages to browsers: a process that reads them, and nothing of rules, saves or keys."""
