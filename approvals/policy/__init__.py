"""The policy of a company: its document, how it is edited, simulated, tested and read."""
