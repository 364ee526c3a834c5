"""One customer's trace: asked for by a person, built by the worker, checked offline by anybody."""
