"""What keeps an approved effect from starting: emergency stops, windows, freezes, a chosen time."""
