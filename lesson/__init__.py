"""What the notebooks need beyond the library: the exercises with their checker, a language model, and the drawings."""
