"""The page on which an admin takes care of one document: what it is, what it explains, its end."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from grounding.life import deleting, linking
from grounding.models import Collection, Document, Version
from grounding.pages.life_forms import (
    DefaultsForm,
    DeleteForm,
    DescribeForm,
    LinkForm,
    RetireForm,
)
from opspilot.errors import NotFoundError
from opspilot.tenancy.http import TenantRequest

TEMPLATE = "grounding/care.html"


def whole(request: TenantRequest, document: Document, **forms: Any) -> dict[str, Any]:
    """`forms` are those that came back refused, by the name the page knows them by."""
    known = linking.templates()
    newest = Version.objects.filter(document=document).defer("text").order_by("-number").first()
    if newest is None:
        raise NotFoundError
    linked = linking.linked(document, known)
    taken = {one.number for one in linked}
    free = [one for one in known if one.number not in taken]
    return {
        "document": document,
        "title": newest.title,
        "back_url": reverse("grounding:document", args=[document.ref]),
        "describe_form": DescribeForm(document),
        "link_form": LinkForm(free) if free else None,
        "linked": linked,
        "retire_form": None if document.retired_at else RetireForm(),
        **_deletion(request, document, forms.get("delete_form")),
        **forms,
    }


def _deletion(
    request: TenantRequest, document: Document, returned: DeleteForm | None
) -> dict[str, Any]:
    """Only when asked for: its counts look through every answer of the company."""
    if request.GET.get("apagar") != "sim" and returned is None:
        return {"consequences": ""}
    found = deleting.consequences(document)
    # The counts now, also on a form that came back: who confirms has read them again.
    form = DeleteForm(initial={"visto": found.seal})
    return {"consequences": consequence_words(found), "delete_form": form}


def consequence_words(found: deleting.Consequences) -> str:
    versions = ngettext("%(n)s versão", "%(n)s versões", found.versions)
    passages = ngettext("%(n)s trecho", "%(n)s trechos", found.passages)
    facts = {
        "versions": versions % {"n": found.versions},
        "passages": passages % {"n": found.passages},
    }
    said = _("Some o texto de %(versions)s e %(passages)s, da busca e de onde foi citado.") % facts
    return " ".join([said, _citing_words(found), *_link_words(found)])


def _citing_words(found: deleting.Consequences) -> str:
    cited = [
        (found.answers, ngettext("%(n)s resposta", "%(n)s respostas", found.answers)),
        (found.proposals, ngettext("%(n)s proposta", "%(n)s propostas", found.proposals)),
    ]
    places = ", ".join(words % {"n": count} for count, words in cited if count)
    if not places:
        return _("Nada o cita.")
    waiting = _(" (%(n)s ainda à espera de decisão)") % {"n": found.waiting}
    places += waiting if found.waiting else ""
    return _("Mostram uma lápide no lugar: %(places)s.") % {"places": places}


def _link_words(found: deleting.Consequences) -> list[str]:
    words = ngettext(
        "%(n)s tarefa fica sem este runbook.", "%(n)s tarefas ficam sem este runbook.", found.links
    )
    return [words % {"n": found.links}] if found.links else []


def defaults(collections: list[Collection], returned: DefaultsForm | None = None) -> dict[str, Any]:
    """A form for each collection; the one that came back stands in its place."""
    back = returned.data.get("colecao") if returned else None
    return {
        "lines": [
            (one, returned if str(one.pk) == back else _defaults_form(one)) for one in collections
        ]
    }


def _defaults_form(one: Collection) -> DefaultsForm:
    initial = {
        "colecao": one.pk,
        "tipo": one.default_tipo or "outro",
        "dono": one.default_dono,
        "dias": one.default_review_days,
    }
    return DefaultsForm(now=one.default_dono, initial=initial, auto_id=f"id_{one.slug}_%s")
