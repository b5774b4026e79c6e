"""What the notebooks need beyond the library: the exercises with their checker, and the drawings."""
