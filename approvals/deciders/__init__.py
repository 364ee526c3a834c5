"""Who may decide what: access, delegation, escalation, owners."""
