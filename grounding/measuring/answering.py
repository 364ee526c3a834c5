"""Whether a labelled question gets an answer, and whether what it cites first is what was labelled."""

from __future__ import annotations

from dataclasses import dataclass

from grounding.answers import citations, composing
from grounding.answers.citations import Sentence
from grounding.answers.composing import Answer
from grounding.measuring.asking import Corpus
from grounding.measuring.labelled import Labelled
from grounding.models import Version
from grounding.retrieval import consult
from opspilot.tenancy.scope import tenant_scope


@dataclass(frozen=True, slots=True)
class Answered:
    """`supported` says of each citation, in the answer's order, whether it holds a part of a labelled
    quote. Empty where the question has no label with a quote, or got no answer."""

    question: Labelled
    answered: bool
    supported: tuple[bool, ...] = ()


def answer(question: Labelled, corpus: Corpus) -> Answered:
    """The whole way of a run: consulted, drafted by extraction, checked."""
    query = consult.prepare(question.text, tenant_id=corpus.tenant_id)
    with tenant_scope(corpus.tenant_id):
        grounded = consult.consult(query=query, collections=corpus.collections)
    drafted = composing.draft(query=query, grounded=grounded)
    with tenant_scope(corpus.tenant_id):
        found = composing.checked(drafted)
        quoted = found.sentences if question.quotes else []
        supported = tuple(_is_supported(question, found, each, corpus) for each in quoted)
    return Answered(question, bool(found.sentences), supported)


def _is_supported(question: Labelled, found: Answer, cited: Sentence, corpus: Corpus) -> bool:
    """The cited span and the quote of a label share a character of the same document."""
    source = found.sources[cited.chunk_id]
    start = source.start + citations.place(cited, source.text)
    end = start + len(cited.quote)
    text = Version.objects.values_list("text", flat=True).get(pk=source.version_id)
    names = corpus.names.get(source.document_id, ())
    places = [
        (text.find(quote.text), len(quote.text)) for quote in question.quotes if quote.name in names
    ]
    return any(place >= 0 and place < end and start < place + size for place, size in places)
