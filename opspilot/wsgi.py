"""WSGI entry. Refuses to serve when the database role could step over row level security."""

from __future__ import annotations

from django.core.wsgi import get_wsgi_application

from opspilot import telemetry
from opspilot.collecting import set_the_code_apart
from opspilot.tenancy.guard import refuse_unsafe_role

telemetry.configure()
application = get_wsgi_application()
refuse_unsafe_role()
set_the_code_apart()
