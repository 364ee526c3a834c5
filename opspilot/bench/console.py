"""How fast the console answers each page, and how much its first page carries."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from opspilot.smoke import deciding, knowing, requesting
from opspilot.smoke.cast import TENANT, Cast
from opspilot.smoke.expectation import expect
from opspilot.smoke.pages import Page
from opspilot.smoke.people import Person

WARM = 3  # requests of each page before the measured ones
ANSWER_MS = 200  # p95 of the server's answer
FIRST_LOAD = 250_000  # bytes


@dataclass(frozen=True, slots=True)
class Pace:
    """One page as one person, asked again and again with nothing beside it."""

    page: str
    person: str
    p50_ms: float
    p95_ms: float
    size: int

    @property
    def line(self) -> str:
        late = "" if self.p95_ms <= ANSWER_MS else f"  over {ANSWER_MS} ms"
        figures = f"{self.p50_ms:>8.1f} {self.p95_ms:>8.1f} {self.size:>9,}"
        return f"  {self.page:<34} {self.person:<10} {figures}{late}"


@dataclass(frozen=True, slots=True)
class Load:
    """A page with everything it names, nothing of it known before."""

    page: str
    requests: int
    size: int

    @property
    def line(self) -> str:
        heavy = "" if self.size <= FIRST_LOAD else f"  over {FIRST_LOAD:,} bytes"
        return f"  {self.page:<34} {self.requests:>3} requests {self.size:>9,} bytes{heavy}"


def prepare(cast: Cast) -> dict[str, tuple[Person, str]]:
    """Something on every page: an answer, a proposal that waits, one carried out. Addresses by name."""
    knowing.upload_published(cast)
    knowing.answer_cited(cast)
    requesting.proposal_created(cast)
    requesting.explicit_command_no_model(cast)
    waiting, done = cast.request("proposal"), cast.request("command")
    deciding.read(cast.aprovador, done)
    cast.aprovador.settled(deciding.approve(cast.aprovador, done))
    return {
        "/conta/entrar/": (Person(cast.operador.base_url, "nobody"), "/conta/entrar/"),
        "/": (cast.aprovador, "/"),
        "/perguntar/": (cast.operador, "/perguntar/"),
        "/rodadas/<id>/": (cast.operador, cast.answered),
        "/aprovacoes/": (cast.aprovador, "/aprovacoes/"),
        "/aprovacoes/?fila=todas": (cast.aprovador, "/aprovacoes/?fila=todas"),
        "/aprovacoes/<id>/": (cast.aprovador, waiting.url),
        "/conhecimento/": (cast.admin, "/conhecimento/"),
        "/trilha/correlacao/<id>/": (cast.auditor, f"/trilha/correlacao/{done.run}/"),
    }


def paces(pages: dict[str, tuple[Person, str]], *, requests: int) -> Iterator[Pace]:
    for name, (person, url) in pages.items():
        yield pace(name, person, url, requests=requests)


def pace(name: str, person: Person, url: str, *, requests: int) -> Pace:
    for _warming in range(WARM):
        person.fetch(url)
    answers = [person.fetch(url) for _turn in range(requests)]
    failed = {answer.status for answer in answers} - {200}
    expect(not failed, f"{name} was answered {sorted(failed)}")
    milliseconds = sorted(answer.seconds * 1000 for answer in answers)
    p95 = milliseconds[min(len(milliseconds) - 1, int(len(milliseconds) * 0.95))]
    who = person.username.partition(".")[0].rstrip("0123456789")
    return Pace(
        name, who, round(statistics.median(milliseconds), 1), round(p95, 1), answers[-1].size
    )


def first_load(name: str, person: Person, url: str) -> Load:
    page = person.fetch(url)
    parts = [person.fetch(address) for address in sorted(named(Page(page.text)))]
    failed = [part.status for part in parts if part.status != 200]
    expect(not failed, f"{name} names a file that is answered {failed}")
    return Load(name, 1 + len(parts), page.size + sum(part.size for part in parts))


def named(page: Page) -> set[str]:
    """Every file of ours that a browser asks for because this page names it."""
    attributes = {"link": "href", "script": "src", "img": "src", "use": "href"}
    found = (e.attributes.get(attributes[e.tag], "") for e in page.all(*attributes))
    return {address.partition("#")[0] for address in found if address.startswith("/")}


def as_json(found: list[Pace], loads: list[Load]) -> dict[str, Any]:
    within = all(p.p95_ms <= ANSWER_MS for p in found) and all(o.size <= FIRST_LOAD for o in loads)
    return {
        "ok": bool(found and loads),
        "within_limits": within,
        "limits": {"p95_ms": ANSWER_MS, "first_load_bytes": FIRST_LOAD},
        "tenant": TENANT,
        "pages": [asdict(one) for one in found],
        "first_loads": [asdict(one) for one in loads],
    }
