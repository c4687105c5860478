"""One initiative system per file; a new file here is a new system."""
