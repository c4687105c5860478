"""The widgets: rectangles of ready lines, placed by a pure function."""
