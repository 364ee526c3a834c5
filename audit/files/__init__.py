"""What every file that leaves the console stands on: where it lies, how it is signed, how it is read
again by whoever trusts none of it."""
