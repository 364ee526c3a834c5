"""`/fila/`: what the worker gave up after its attempts, in one place, and how it is tried again."""
