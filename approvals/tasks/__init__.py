"""Tasks of Semaphore: command, hosts, rules."""
