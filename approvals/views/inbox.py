"""The queue, with its tab and filters in the address."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET

from approvals import listing, queue, queue_url, selectors
from approvals.queue_url import Queue
from approvals.views import decided
from opspilot.tenancy import clock
from opspilot.tenancy.http import TenantRequest, requires
from opspilot.tenancy.roles import DECIDERS


@require_GET
@requires()
def inbox(request: TenantRequest) -> HttpResponse:
    asked, path = queue_url.parse(request.GET), reverse("approvals:inbox")
    mark = queue.mark(principal=request.principal, queue=asked)
    pages = -(-mark.size // queue.LIMIT)
    number = max(1, min(_page(request.GET.get("pagina", "")), pages))
    found = selectors.page_of(principal=request.principal, asked=asked, page=number)
    counts = queue.counts(principal=request.principal, queue=asked)
    context = {
        **_filters(request, asked, mark.size),
        "pages": listing.pages(asked, path, number=number, total=mark.size),
        "tabs": listing.tabs(asked, path, counts),
        "tab": asked.tab,
        "total": mark.size,
        "all_waiting": asked.tab == "para-mim",
        "lines": [listing.line(row, asked.href(_detail(row.proposal.ref))) for row in found],
        "roles": ", ".join(str(role.label) for role in sorted(request.principal.roles)),
        "decides": request.principal.has(*DECIDERS),
        "now": clock.now(),
        "news_url": asked.href(reverse("approvals:news"), visto=listing.mark_in_url(mark)),
        "again_url": asked.href(path, pagina=number if number > 1 else ""),
        "decided": decided.strip(request),
    }
    return render(request, "approvals/inbox.html", context)


@require_GET
@requires()
def news(request: TenantRequest) -> HttpResponse:
    """What came and what left since the list was shown; 204 when that was told already."""
    asked, since = queue_url.parse(request.GET), listing.parse_mark(request.GET.get("visto", ""))
    if since is None or not request.htmx:
        return redirect(asked.href(reverse("approvals:inbox")))
    found = queue.news(principal=request.principal, queue=asked, since=since)
    told = f"{found.came}-{found.left}"
    if told == request.GET.get("dito", "0-0"):
        return HttpResponse(status=204)
    visto = listing.mark_in_url(since)
    context = {
        "url": asked.href(reverse("approvals:news"), visto=visto, dito=told),
        "text": listing.news_words(found),
        "link_url": asked.href(reverse("approvals:inbox")),
        "now": clock.now(),
        "announce": True,
    }
    return render(request, "components/fresh.html", context)


def _filters(request: TenantRequest, asked: Queue, shown: int) -> dict[str, Any]:
    """What the filters hide, and for an empty list which of them hides how many."""
    principal, path = request.principal, reverse("approvals:inbox")
    choices = queue.choices(principal=principal, queue=asked)
    on = bool(asked.chosen())
    whole = queue.size(principal=principal, queue=asked.unfiltered()) if on else shown
    hidden = queue.hidden_by(principal=principal, queue=asked) if on and not shown else {}
    return {
        "chips": listing.chips(asked, path, choices),
        "filter_form": listing.filter_form(asked, choices),
        "filter_words": _hides(shown, whole) if on else "",
        "whole": whole,
        "without_each": listing.without_each(asked, path, choices, hidden),
        "filter_hidden": [("fila", asked.tab)] if asked.tab != queue_url.DEFAULT else [],
        "plain_url": asked.unfiltered().href(path),
    }


def _hides(shown: int, whole: int) -> str:
    if shown == whole:
        return _("%(shown)s de %(whole)s. O filtro não esconde nada.") % {
            "shown": shown,
            "whole": whole,
        }
    words = ngettext(
        "%(shown)s de %(whole)s. O filtro esconde %(n)s.",
        "%(shown)s de %(whole)s. O filtro esconde %(n)s.",
        whole - shown,
    )
    return words % {"shown": shown, "whole": whole, "n": whole - shown}


def _detail(ref: object) -> str:
    return reverse("approvals:detail", args=[ref])


def _page(text: str) -> int:
    return max(1, int(text)) if text.isdecimal() and len(text) < 6 else 1
