"""What other agents propose, carry out and have approved beforehand."""
