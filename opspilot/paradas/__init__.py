"""`/paradas/`: what is stopped, who stopped it, and how it goes on."""
