"""Settings: base for all, then local (the two commands), test, production."""
