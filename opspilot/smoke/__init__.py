"""The smoke run: an instance of its own, driven over HTTP as five people."""
