"""The peers' models and their measurement: loaded by a process of its own, never by the console."""
