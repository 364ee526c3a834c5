"""`/trilha/consultas/`: the shelf of named queries, one query, its files, its proof."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from django.http import FileResponse, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.timezone import localtime
from django.views.decorators.http import require_GET

from audit import entities, readings
from audit.forms import LookupForm
from audit.reports import catalogue, formats, library, pages, parameters, recording, running
from audit.reports.kinds import ParametersError
from audit.reports.shapes import NamedQuery
from opspilot.errors import FormPage, InvalidInputError, RoleRequiredError
from opspilot.presentation.forms import checked
from opspilot.tenancy import clock
from opspilot.tenancy.http import TenantRequest, acts_by_post, requires
from opspilot.tenancy.roles import TRAIL_READERS

_PAGE = "audit/reports/query.html"
_AFTER = "depois"


@require_GET
@requires(*TRAIL_READERS)
def queries(request: TenantRequest) -> HttpResponse:
    return render(
        request, "audit/reports/library.html", {"shelf": library.shelf(request.principal)}
    )


@require_GET
@requires(*TRAIL_READERS)
def query(request: TenantRequest, slug: str) -> HttpResponse:
    """One page of the answer; the query waits where something it needs has no default."""
    found, raw, after = _asked(request, slug)
    if not raw and parameters.must_be_asked(found):
        return render(request, _PAGE, pages.blank(found))
    with _keeping_the_fields(found, raw):
        bound = parameters.bind(found, raw, now=clock.now())
        page = running.page(found, bound, after=after)
    recording.viewed(request.principal, found, bound, rows=len(page.rows))
    address = request.build_absolute_uri(f"{request.path}?{bound.fixed_string}")
    return render(request, _PAGE, pages.answered(found, bound, page, address=address))


@acts_by_post
@requires(*TRAIL_READERS)
def by_document(request: TenantRequest, slug: str) -> HttpResponse:
    """By POST, so that a document number never stands in an address; the other fields stay there."""
    found, raw, _after = _asked(request, slug)
    with _keeping_the_fields(found, raw):
        document = entities.parse_document(checked(LookupForm(request.POST))["documento"])
    entity = entities.find(document=document)
    readings.record_lookup(request.principal, entity)
    if entity is None:
        return render(request, _PAGE, pages.blank(found) | {"missing": document.masked})
    about = {"tipo": entity.type, "entidade": str(entity.ref)}
    return redirect(pages.address(found, raw | about))


@require_GET
@requires(*TRAIL_READERS)
def export(request: TenantRequest, slug: str, kind: str) -> HttpResponseBase:
    """The whole result, made inside this transaction and sent after it, so that what leaves is the
    company's own and complete, or nothing."""
    found, raw, _after = _asked(request, slug)
    format_ = formats.get(kind)
    with ExitStack() as unless_sent, _keeping_the_fields(found, raw):
        out = unless_sent.enter_context(tempfile.TemporaryFile())
        bound = parameters.bind(found, raw, now=clock.now())
        formats.refuse_more_than(formats.CAP, found, bound)
        result = formats.write(format_, found, bound, out)
        recording.exported(request.principal.signature, found, bound, kind=format_, result=result)
        out.seek(0)
        response = FileResponse(out, as_attachment=True, filename=_file_name(found, format_))
        unless_sent.pop_all()  # from here on the response closes it
    response["Content-Type"] = format_.content_type
    response["X-OpsPilot-Sha256"] = result.sha256
    return response


@require_GET
@requires(*TRAIL_READERS)
def proof(request: TenantRequest, slug: str) -> HttpResponse:
    """The hash of the whole result now, compared with one that somebody kept."""
    found, raw, _after = _asked(request, slug)
    kept = raw.pop("sha256", "")
    with _keeping_the_fields(found, raw):
        bound = parameters.bind(found, raw, now=clock.now())
        formats.refuse_more_than(formats.CAP, found, bound)
        result = formats.Written(*running.digest(found, bound))
    recording.proved(request.principal, found, bound, result=result)
    context = pages.proved(found, bound, result, kept=kept.lower().removeprefix("sha256").strip())
    return render(request, "audit/reports/proof.html", context)


def _asked(request: TenantRequest, slug: str) -> tuple[NamedQuery, dict[str, str], str]:
    """The query, the fields of the address and the marker of its page."""
    found = catalogue.get(slug)
    if not request.principal.has(*found.roles):
        raise RoleRequiredError(roles=sorted(found.roles), back_url=reverse("audit:queries"))
    raw = request.GET.dict()
    return found, raw, raw.pop(_AFTER, "")


@contextmanager
def _keeping_the_fields(query: NamedQuery, raw: dict[str, str]) -> Iterator[None]:
    """A refusal inside shows the query's page with the fields as they were and what is wrong."""
    try:
        yield
    except InvalidInputError as exc:
        faults = exc.faults if isinstance(exc, ParametersError) else {}
        exc.page = FormPage(_PAGE, lambda: pages.refused(query, raw, faults))
        raise


def _file_name(query: NamedQuery, kind: formats.Format) -> str:
    return f"{query.slug}-{localtime():%Y-%m-%d-%H%M}.{kind.suffix}"
