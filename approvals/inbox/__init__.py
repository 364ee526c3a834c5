"""The queue of proposals and the page of one: what is listed, found and said."""
