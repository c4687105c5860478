"""Text, caching and errors: what every room of the core uses and no rule stands in."""
