"""Who reads which collection: the page on which admins give and take it."""
