"""The frugal terminal driver."""
