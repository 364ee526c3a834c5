from __future__ import annotations

from pathlib import Path

import pytest

from opspilot.bench import retrieval_ledger
from opspilot.bench.retrieval_cache import KeepingEmbedder
from opspilot.bootstrap.datadir import DataDir
from tests.fakes import CountingEmbedder


@pytest.fixture
def data(tmp_path: Path) -> DataDir:
    return DataDir(tmp_path)


def looked(data: DataDir, sha256: str = "0" * 64) -> retrieval_ledger.Look:
    return retrieval_ledger.look(data="sealed", sha256=sha256, ledger=retrieval_ledger.ledger(data))


def test_the_first_look_at_a_folder_is_not_again(data: DataDir) -> None:
    first = looked(data)
    assert (first.held_out, first.again) == (True, False)


def test_the_second_look_with_the_same_code_is_again(data: DataDir) -> None:
    retrieval_ledger.keep(looked(data), {"chosen": {}}, data)
    assert looked(data).again
    assert not looked(data, sha256="1" * 64).again


def test_other_code_may_look_once_more(data: DataDir, monkeypatch: pytest.MonkeyPatch) -> None:
    retrieval_ledger.keep(looked(data), {}, data)
    monkeypatch.setenv("OPSPILOT_EMBEDDINGS_MODEL", "another")
    assert not looked(data).again


def test_the_development_sets_may_be_looked_at_for_ever(data: DataDir) -> None:
    assert not any(looked(data, sha256=known).held_out for known in retrieval_ledger.DEVELOPMENT)


def test_the_report_names_the_data_and_the_commit(data: DataDir) -> None:
    place = retrieval_ledger.keep(looked(data), {"chosen": {}}, data)
    assert place.name == f"sealed-00000000-{retrieval_ledger.commit()[:12]}.json"


def test_a_kept_vector_is_not_computed_again(tmp_path: Path) -> None:
    inner = CountingEmbedder()
    first = KeepingEmbedder(inner, tmp_path).embed_passages(["a", "b", "a"])
    again = KeepingEmbedder(inner, tmp_path).embed_passages(["b", "a"])
    assert inner.texts == ["a", "b"]
    assert again == [first[1], first[0]]


def test_a_question_and_a_passage_of_the_same_words_are_kept_apart(tmp_path: Path) -> None:
    inner = CountingEmbedder()
    keeper = KeepingEmbedder(inner, tmp_path)
    keeper.embed_passages(["a"])
    keeper.embed_query("a")
    assert (keeper.computed, keeper.kept) == (2, 0)
