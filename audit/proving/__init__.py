"""The proof of an effect and the sample of a quarter: their form, and whether one holds, with or without
a database."""
