"""The pages of the approver: the queue, one proposal, and what a person does to it."""
