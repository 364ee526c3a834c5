"""`manage.py doctor`: is each remote as a company's policy takes it to be? Asked now; reads only."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from opspilot.conectores import allowed as allowing
from opspilot.conectores import asking
from opspilot.conectores.allowed import Allowed
from opspilot.conectores.models import Connector
from opspilot.connectors.findings import Finding
from opspilot.tenancy.models import Tenant, tenant_id_of
from opspilot.tenancy.scope import tenant_scope


class Command(BaseCommand):
    help = "Check the configured connectors with what a company's policy allows; changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("connector", nargs="?", choices=Connector.values, help="all without it")
        parser.add_argument("--tenant", required=True, help="the company's short name")
        parser.add_argument("--json", action="store_true", help="end with one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        """Exit 0 when nothing that was asked for failed, 1 otherwise."""
        tenant_id = tenant_id_of(options["tenant"])
        allowed = _allowed(tenant_id, options["tenant"])
        if allowed.basis:
            self.stdout.write(f"no policy to check against ({allowed.basis}): the instance only")
        named = options["connector"]
        wanted = [Connector(named)] if named else list(Connector)
        report = {one: self._check(one, allowed, tenant_id, named=bool(named)) for one in wanted}
        ok = all(entry["worst"] != "falha" for entry in report.values())
        if options["json"]:
            found = {"ok": ok, "tenant": options["tenant"], "basis": allowed.basis}
            connectors = {one.value: entry for one, entry in report.items()}
            line = found | {"connectors": connectors}
            self.stdout.write(json.dumps(line, ensure_ascii=False))
        if not ok:
            raise SystemExit(1)

    def _check(
        self, connector: Connector, allowed: Allowed, tenant_id: UUID, *, named: bool
    ) -> dict[str, Any]:
        """One that is not configured fails only for whoever asked for it by name."""
        if not asking.is_configured(connector):
            self.stdout.write(f"{connector}: not configured")
            return {"configured": False, "worst": "falha" if named else "", "findings": []}
        found = asking.check(connector=connector, allowed=allowed, tenant_id=tenant_id)
        for finding in found.findings:
            self.stdout.write(f"{connector}: {_line(finding)}")
        return {
            "configured": True,
            "worst": asking.worst(found.findings),
            "findings": asking.as_rows(found.findings),
        }


def _allowed(tenant_id: UUID, slug: str) -> Allowed:
    with tenant_scope(tenant_id):
        if not Tenant.objects.filter(pk=tenant_id).exists():
            raise CommandError(f"there is no company {slug}")
        return allowing.in_force()


def _line(finding: Finding) -> str:
    return f"{finding.state:<8} {finding.check:<28} {_facts(finding.facts)}".rstrip()


def _facts(facts: Mapping[str, object]) -> str:
    return " ".join(
        f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in facts.items()
    )
