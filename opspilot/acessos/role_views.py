"""`/acessos/pessoas/<n>/`: an admin gives and takes the roles of one person, having read what follows."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from approvals.deciders import access
from opspilot.acessos import owners, page, roles
from opspilot.acessos.forms import RolesForm
from opspilot.acessos.roles import Person
from opspilot.presentation.forms import checked, keeping_what_was_typed
from opspilot.tenancy import kept
from opspilot.tenancy.http import TenantRequest, acts_by_post, keeps_typed, requires
from opspilot.tenancy.principal import Role
from opspilot.tenancy.reauthentication import ensure_recent
from opspilot.tenancy.selectors import Member

_ONE, _CONFIRM = "acessos/roles.html", "acessos/roles_confirm.html"


@require_GET
@requires(Role.ADMIN)
def person(request: TenantRequest, user_id: int) -> HttpResponse:
    found = roles.person(user_id=user_id)
    shown = {"papeis": _values(found.roles), "antes": _written(found.roles)}
    form = RolesForm(offered=_offered(found), initial=shown | kept.fields(request))
    return render(request, _ONE, _page(request, found, form))


@acts_by_post
@requires(Role.ADMIN)
@keeps_typed("motivo", many=("papeis",), page="../")
def change(request: TenantRequest, user_id: int) -> HttpResponse:
    """The first press shows what follows, the second does it."""
    ensure_recent(request)
    found = roles.person(user_id=user_id)
    form = RolesForm(request.POST, offered=_offered(found))
    with keeping_what_was_typed(_ONE, lambda: _page(request, found, form)):
        data = checked(form)
        wanted, seen = _read(data["papeis"]), _read(data["antes"].split())
        said: Any = {"wanted": wanted, "seen": seen, "reason": data["motivo"]}
        roles.check(admin=request.principal, person=found, **said)
    if not data["certo"]:
        return render(request, _CONFIRM, _consequences(found, wanted, data))
    roles.change(admin=request.principal, user_id=user_id, **said)
    messages.success(request, _("Papéis de %(who)s gravados.") % {"who": found.name})
    return redirect("acessos:index")


def _page(request: TenantRequest, found: Person, form: RolesForm) -> dict[str, Any]:
    return {
        "person": found,
        "roles": roles.words(found.roles),
        "form": form,
        "own": found.user_id == request.principal.user_id,
    }


def _consequences(found: Person, wanted: frozenset[Role], data: dict[str, Any]) -> dict[str, Any]:
    """The same form with everything hidden, and what would be so after it."""
    fields = {"papeis": _values(wanted), "motivo": data["motivo"], "antes": data["antes"]}
    member = Member(found.subject, found.name, wanted)
    then = access.foreseen(member=member, owners=owners.registered())
    now = access.now(owners=owners.registered())
    codes = next((row.conflicts for row in then.people if row.subject == found.subject), ())
    short = [rule for rule in page.rules(then.content) if rule.short]
    before = {(rule.action, rule.risk) for rule in page.rules(now.content) if rule.short}
    return {
        "person": found,
        "given": roles.words(wanted - found.roles) if wanted - found.roles else "",
        "taken": roles.words(found.roles - wanted) if found.roles - wanted else "",
        "reason": data["motivo"],
        "conflicts": page.conflict_words(codes),
        "short": [rule for rule in short if (rule.action, rule.risk) not in before],
        "hidden": _pairs(fields),
    }


def _pairs(fields: dict[str, Any]) -> list[tuple[str, str]]:
    pairs = [("papeis", value) for value in fields["papeis"]]
    pairs += [(name, fields[name]) for name in ("motivo", "antes")]
    return [*pairs, ("certo", "sim")]


def _offered(found: Person) -> list[tuple[str, str]]:
    """`admin` is there to be taken away, never to be given."""
    given = (*roles.GIVEN, Role.ADMIN) if Role.ADMIN in found.roles else roles.GIVEN
    return [(str(role), str(role.label)) for role in given]


def _values(found: frozenset[Role]) -> list[str]:
    return sorted(str(role) for role in found)


def _written(found: frozenset[Role]) -> str:
    return " ".join(_values(found))


def _read(names: list[str]) -> frozenset[Role]:
    return frozenset(Role(name) for name in names if name in Role.values)
