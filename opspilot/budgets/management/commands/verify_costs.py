"""`manage.py verify_costs`: does the trail's cost add up, summed by two ways, and is it what the
budgets say was spent? Changes nothing."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from audit.costs import verifying
from audit.costs.verifying import Difference, Sum, Verified
from audit.reports import catalogue, parameters
from audit.reports.kinds import ParametersError
from audit.reports.parameters import Bound
from opspilot.budgets import comparing
from opspilot.budgets.comparing import Compared
from opspilot.tenancy import clock
from opspilot.tenancy.models import Tenant, tenant_id_of
from opspilot.tenancy.scope import tenant_scope


class Command(BaseCommand):
    help = (
        "Sum the trail's cost per agent by two ways, compare it with the budgets, and name what "
        "differs; changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--tenant", help="a company's short name; all companies without it")
        parser.add_argument("--from", dest="first", default="", help="the first day, YYYY-MM-DD")
        parser.add_argument(
            "--to", dest="last", default="", help="the last day, which counts whole"
        )
        parser.add_argument("--json", action="store_true", help="end with one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        """Exit 0 only when nothing differs. Without --from: the seven days up to now."""
        bound = _bound(options["first"], options["last"])
        reports = {}
        for tenant_id in _chosen(options["tenant"]):
            with tenant_scope(tenant_id):
                slug = Tenant.objects.get(pk=tenant_id).slug
                reports[slug] = _verified(bound), comparing.compare(bound.period)
            self._tell(slug, *reports[slug])
        ok = all(sums.is_good and spend.is_good for sums, spend in reports.values())
        if options["json"]:
            companies = {
                slug: _facts(sums) | {"budgets": _spend_facts(spend)}
                for slug, (sums, spend) in reports.items()
            }
            said = {"ok": ok, "period": dict(bound.address), "companies": companies}
            self.stdout.write(json.dumps(said, ensure_ascii=False))
        if not ok:
            raise SystemExit(1)

    def _tell(self, slug: str, report: Verified, spend: Compared) -> None:
        self.stdout.write(f"{slug}: {'the sums agree' if report.is_good else 'the sums differ'}")
        for agent, one in sorted(report.agents.items()):
            self.stdout.write(f"  {agent}: {_words(one)}")
        for agent, priced in sorted(report.priced.items()):
            self.stdout.write(
                f"  {agent}: {priced.rows} rows say {priced.said:f} centavos; "
                f"by the prices in force it is {priced.by_prices:f}"
            )
        for difference in report.differences:
            self.stdout.write(f"  {_line(difference)}")
        if report.more:
            self.stdout.write(f"  and {report.more} more rows")
        verdict = "agree with the trail" if spend.is_good else "differ from the trail"
        self.stdout.write(
            f"  budgets: {verdict}; {spend.runs} runs, {spend.told:f} centavos, "
            f"{spend.unknown} calls of unknown cost; {spend.waiting:f} centavos of open runs"
        )
        for mismatch in spend.mismatches:
            self.stdout.write(f"  {mismatch.kind} {mismatch.where}: {mismatch.said}")


def _verified(bound: Bound) -> Verified:
    """A row may be written between the two ways: what differs once is looked at again."""
    first = verifying.verify(bound)
    return first if first.is_good else verifying.verify(bound)


def _spend_facts(spend: Compared) -> dict[str, Any]:
    return {
        "runs": spend.runs,
        "told_centavos": f"{spend.told:f}",
        "calls_without_cost": spend.unknown,
        "open_centavos": f"{spend.waiting:f}",
        "differences": [
            {"kind": one.kind, "where": one.where, "said": one.said} for one in spend.mismatches
        ],
    }


def _bound(first: str, last: str) -> Bound:
    raw = {name: text for name, text in (("de", first), ("ate", last)) if text}
    try:
        return parameters.bind(catalogue.get(verifying.QUERY), raw, now=clock.now())
    except ParametersError as exc:
        raise CommandError(
            " ".join(text for texts in exc.faults.values() for text in texts)
        ) from exc


def _chosen(slug: str | None) -> list[UUID]:
    if slug is None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT tenant_id FROM trail_tenants()")
            return sorted(row[0] for row in cursor.fetchall())
    tenant_id = tenant_id_of(slug)
    with tenant_scope(tenant_id):
        if not Tenant.objects.filter(pk=tenant_id).exists():
            raise CommandError(f"no company is called {slug}")
    return [tenant_id]


def _words(one: Sum) -> str:
    least = "at least " if one.unknown else ""
    unknown = f", {one.unknown} of them without a known cost" if one.unknown else ""
    return f"{least}{one.cost:f} centavos, {one.rows} rows{unknown}"


def _line(difference: Difference) -> str:
    where = f"row {difference.row}" if difference.row is not None else difference.agent
    return f"{difference.day:%Y-%m-%d} {where}: {difference.said}"


def _facts(report: Verified) -> dict[str, Any]:
    return {
        "agents": {
            agent: {
                "rows": one.rows,
                "cost_centavos": f"{one.cost:f}",
                "at_least": bool(one.unknown),
                "rows_without_cost": one.unknown,
                "tokens_in": one.tokens_in,
                "tokens_out": one.tokens_out,
            }
            for agent, one in sorted(report.agents.items())
        },
        "by_prices": {
            agent: {
                "rows": one.rows,
                "said_centavos": f"{one.said:f}",
                "by_prices_centavos": f"{one.by_prices:f}",
            }
            for agent, one in sorted(report.priced.items())
        },
        "differences": [
            {
                "kind": one.kind,
                "agent": one.agent,
                "day": one.day.isoformat(),
                "row": one.row,
                "said": one.said,
            }
            for one in report.differences
        ],
        "rows_not_named": report.more,
    }
