"""The parts of the seal that need no database: the tree, the statements, the keys, the waiting."""

from __future__ import annotations

import datetime as dt
import hashlib
import re
import stat
import uuid
from pathlib import Path
from typing import Any

import pytest

from audit.models import TrailWatch
from audit.seal import closing, heads, keys, page
from audit.seal.merkle import EMPTY, Tree
from audit.seal.statements import digest, message, moment
from audit.seal.windows import Reason, State, Window
from audit.seal.words import sentence
from opspilot.bootstrap.datadir import DataDir, create
from opspilot.bootstrap.seal_key import seal_key_file
from tests.db.sealed import a_pem

LEAVES = [bytes([number]) * 32 for number in range(20)]


def root(leaves: list[bytes]) -> bytes:
    tree = Tree()
    for leaf in leaves:
        tree.add(leaf)
    return tree.root()


def by_definition(leaves: list[bytes]) -> bytes:
    """RFC 6962: split at the largest power of two below the count."""
    if len(leaves) == 1:
        return hashlib.sha256(b"\x00" + leaves[0]).digest()
    cut = 1
    while cut * 2 < len(leaves):
        cut *= 2
    both = by_definition(leaves[:cut]) + by_definition(leaves[cut:])
    return hashlib.sha256(b"\x01" + both).digest()


@pytest.mark.parametrize("count", range(1, 20))
def test_the_root_is_the_one_of_the_definition(count: int) -> None:
    assert root(LEAVES[:count]) == by_definition(LEAVES[:count])


def test_the_root_over_nothing_is_that_of_no_leaf() -> None:
    assert root([]) == EMPTY
    assert root([b""]) != EMPTY


def test_two_leaves_exchanged_are_another_root() -> None:
    assert root([LEAVES[1], LEAVES[0], LEAVES[2]]) != root(LEAVES[:3])


def test_an_inner_node_cannot_stand_for_a_leaf() -> None:
    pair = root(LEAVES[:2])
    assert root([pair, LEAVES[2]]) != root(LEAVES[:3])


def test_a_statement_is_the_same_bytes_in_whatever_order_it_was_built() -> None:
    assert message("seal", {"b": 1, "a": "é"}) == message("seal", {"a": "é", "b": 1})
    assert message("seal", {"a": "é"}) == 'opspilot:seal:1\n{"a":"é"}'.encode()


def test_the_same_words_of_another_kind_are_another_statement() -> None:
    assert digest("seal", {"a": 1}) != digest("expiry", {"a": 1})


def test_a_moment_is_written_alike_from_every_zone() -> None:
    at = dt.datetime(2026, 11, 30, 12, tzinfo=dt.UTC)
    elsewhere = at.astimezone(dt.timezone(dt.timedelta(hours=-3)))
    assert moment(elsewhere) == moment(at) == "2026-11-30T12:00:00.000000+00:00"


def test_what_one_key_signed_another_one_does_not_prove() -> None:
    mine, other = (keys.parsed(a_pem())[0] for _ in range(2))
    signature = mine.sign("seal", {"a": 1})
    assert keys.is_signed("seal", {"a": 1}, mine.public_key, signature)
    assert not keys.is_signed("seal", {"a": 1}, other.public_key, signature)
    assert not keys.is_signed("seal", {"a": 2}, mine.public_key, signature)
    assert not keys.is_signed("key", {"a": 1}, mine.public_key, signature)


@pytest.mark.parametrize("signature", ["", "zz", "00" * 64])
def test_what_is_no_signature_proves_nothing(signature: str) -> None:
    signer = keys.parsed(a_pem())[0]
    assert not keys.is_signed("seal", {"a": 1}, signer.public_key, signature)


def test_a_process_without_a_key_is_told_so(settings: Any) -> None:
    settings.OPSPILOT_SEAL_KEY = ""
    with pytest.raises(keys.NoKeyError):
        keys.ring()
    assert keys.known_here() == {}


@pytest.mark.parametrize(
    "text",
    [
        "a word",
        "-----BEGIN PRIVATE KEY-----\nbm90IGEga2V5\n-----END PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VuBCIEIHcHbQpzGKV9PBbBclGyZkXfTC+H68CZKrF3+6UduSwq\n"
        "-----END PRIVATE KEY-----",
    ],
)
def test_what_is_no_ed25519_key_is_refused(settings: Any, text: str) -> None:
    settings.OPSPILOT_SEAL_KEY = text
    with pytest.raises(keys.BadKeyError):
        keys.ring()


def test_a_key_shows_no_more_than_its_name() -> None:
    signer = keys.parsed(a_pem())[0]
    assert repr(signer) == f"Signer({signer.fingerprint[:16]})"


def test_the_key_that_up_makes_seals(tmp_path: Path, settings: Any) -> None:
    data = DataDir(tmp_path)
    create(data)
    path = seal_key_file(data)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    settings.OPSPILOT_SEAL_KEY = path.read_text()
    assert len(keys.ring()) == 1


def test_the_key_that_up_made_is_kept(tmp_path: Path) -> None:
    data = DataDir(tmp_path)
    create(data)
    before = seal_key_file(data).read_text()
    assert seal_key_file(data).read_text() == before


def looks(monkeypatch: pytest.MonkeyPatch, *seen: set[str]) -> list[set[str]]:
    """What each look at the writers finds."""
    left = list(seen)
    monkeypatch.setattr(closing, "writers", lambda: left.pop(0))
    return left


def test_writers_that_come_later_are_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    left = looks(monkeypatch, {"1/1"}, {"1/1", "2/1"}, {"2/1", "1/2"}, {"2/1"})
    closing.await_writers(patience=5)
    assert left == [{"2/1"}]


def test_nobody_is_waited_for_when_nobody_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    left = looks(monkeypatch, set(), {"1/1"})
    closing.await_writers(patience=5)
    assert left == [{"1/1"}]


def test_an_hour_is_the_same_from_every_zone() -> None:
    at = dt.datetime(2026, 11, 30, 23, 59, tzinfo=dt.timezone(dt.timedelta(hours=-3, minutes=-30)))
    assert closing.hour_of(at) == dt.datetime(2026, 12, 1, 3, tzinfo=dt.UTC)


@pytest.mark.parametrize("reason", Reason)
def test_each_reason_has_a_sentence_for_the_command(reason: Reason) -> None:
    at = dt.datetime(2026, 11, 30, 12, tzinfo=dt.UTC)
    window = Window(3, at, at, 4, State.ALTERED, reason, row=9, sealed_rows=5)
    text = sentence(window)
    assert text.startswith("window 3 (2026-11-30 12:00 UTC to 2026-11-30 12:00 UTC) is alterada: ")
    assert not re.search(r"[{}]", text)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"format": "opspilot-trail-heads/1", "heads": [1], "keys": {}}']
)
def test_a_file_that_holds_no_heads_is_refused(text: str) -> None:
    with pytest.raises(heads.BadHeadsError):
        heads.parse(text)


NOW = dt.datetime(2026, 11, 30, 12, tzinfo=dt.UTC)


def verdict(*, sealed: bool = True, good: bool | None = True, **values: Any) -> page.Verdict:
    watch = TrailWatch(tenant_id=uuid.uuid4(), **{"looked_at": NOW, **values})
    watch.good = good  # type: ignore[attr-defined]
    return page.verdict(watch, sealed=sealed, now=NOW)


def test_a_trail_that_is_sealed_and_holds_asks_for_nothing() -> None:
    assert (verdict().state, verdict().act) == ("done", "")


def test_a_trail_that_does_not_hold_is_red_whatever_else_there_is() -> None:
    assert verdict(good=False, fault="sem_chave").word == "não confere"


def test_a_trail_that_nobody_seals_for_hours_is_late() -> None:
    assert verdict(looked_at=NOW - dt.timedelta(hours=3)).word == "atrasada"


def test_a_trail_without_a_seal_yet_waits_for_its_first_hour() -> None:
    assert verdict(sealed=False, good=None).state == "pending"
