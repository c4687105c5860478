"""Serve the published pages to browsers, in a process that loads no rules, saves or keys."""
