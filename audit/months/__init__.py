"""The months of the trail: made ahead, kept by a written rule, archived and dropped when it ends."""
