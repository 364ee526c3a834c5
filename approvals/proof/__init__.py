"""The proof of one effect: gathered here, judged where who has only the file judges it too."""
