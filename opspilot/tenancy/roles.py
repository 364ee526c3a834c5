"""Who may do what in the console, named once: the views that guard and the pages that offer agree."""

from __future__ import annotations

from opspilot.tenancy.principal import Role

EVERYBODY = tuple(Role)
"""Anybody with a role in the tenant."""

ASKERS = (Role.OPERADOR, Role.APROVADOR, Role.ADMIN)
"""Who may ask a question and prepare a command; the policy still says whose command it takes."""

DECIDERS = (Role.APROVADOR, Role.CONFORMIDADE, Role.ADMIN)
"""Roles a policy may name as the one that decides; which of them does is the policy's word."""

RUN_READERS = (Role.APROVADOR, Role.AUDITOR, Role.CONFORMIDADE, Role.ADMIN)
"""Who may open the run of somebody else, with the question as it was asked."""

TRAIL_READERS = (Role.AUDITOR, Role.CONFORMIDADE, Role.ADMIN, Role.APROVADOR)
"""Who may read the trail by entity and by run; every reading is a row of it."""

SEAL_READERS = (Role.AUDITOR, Role.CONFORMIDADE, Role.ADMIN)
"""Who may read whether the trail is as it was sealed, and take the newest seal and the keys along."""

TAKERS = (Role.APROVADOR, Role.CONFORMIDADE, Role.ADMIN)
"""Who may take over a request that was handed to a person, or that an outage left in review."""

RECEIPT_READERS = (Role.AUDITOR, Role.CONFORMIDADE, Role.ADMIN)
"""Who may open the receipt of anybody's consult: which passages were seen, not what was asked."""

ENTITY_KEEPERS = (Role.CONFORMIDADE, Role.ADMIN)
"""Who may join, part and erase entries of the registry of entities."""

TRAIL_REVIEWERS = (Role.CONFORMIDADE, Role.AUDITOR)
"""Who may read a sample of the trail for what should not be in it, and add words to the guard."""

TRACE_ASKERS = (Role.CONFORMIDADE,)
"""Who may ask for the trace of one customer and take along the one they asked for."""

PACK_ASKERS = (Role.AUDITOR, Role.CONFORMIDADE)
"""Who may ask for an audit pack, a drawn sample of proofs, and take the company's packs along."""

RETENTION_READERS = (Role.AUDITOR, Role.CONFORMIDADE, Role.ADMIN)
"""Who may read how long the trail is kept, what is held and what went."""

RESUMERS = (Role.OPERADOR, Role.APROVADOR, Role.ADMIN)
"""Who may ask for another search of an unknown outcome, or for another try of what never left."""

POLICY_READERS = (Role.ADMIN, Role.APROVADOR, Role.AUDITOR, Role.CONFORMIDADE)
"""Who may read the policy, its history and its drafts, and ask it about an action."""

POLICY_WRITERS = (Role.ADMIN,)
"""Who may draft a policy; putting one in force takes two of them."""

AGENT_READERS = (Role.ADMIN, Role.AUDITOR)
"""Who may read which agents there are, who answers for each, and when its tokens were used."""

AGENT_WRITERS = (Role.ADMIN,)
"""Who may make an agent, change it, and issue, rotate or revoke its tokens."""

ACCESS_READERS = (Role.AUDITOR, Role.ADMIN)
"""Who may read who can decide what, now and in the past, and export it."""

ACCESS_REVIEWERS = (Role.AUDITOR,)
"""Who may attest that list; nobody who could change it."""

CONNECTOR_READERS = (Role.ADMIN, Role.APROVADOR, Role.AUDITOR, Role.CONFORMIDADE)
"""Who may read what the last checks of the connectors found."""

CONNECTOR_CHECKERS = (Role.ADMIN,)
"""Who may have the connectors checked now."""

WORK_KEEPERS = (Role.ADMIN,)
"""Who sees what the worker gave up, and has it tried again."""

NOTICE_KEEPERS = (Role.ADMIN,)
"""Who may say where the company's webhooks go, and sees what could not be delivered."""

GRANTORS = (Role.ADMIN,)
"""Who may say which roles and agents read a collection, and sees that each is there."""

UPLOADERS = (Role.ADMIN,)
"""Who may send runbooks and sees what became of each file."""

DOCUMENT_KEEPERS = (Role.ADMIN,)
"""Who may describe, link, retire and delete documents, and say which sources feed a collection."""
