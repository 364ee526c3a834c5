"""Measurements on an instance of their own: figures for a decision, not a gate."""
