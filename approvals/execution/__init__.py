"""From an approved proposal to its effect: claims, settlement, recovery, withdrawal."""
