"""`/conectores/`: whether each remote system is as the company's policy takes it to be."""
