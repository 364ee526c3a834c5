from __future__ import annotations

from typing import get_args

import pytest

from grounding.errors import UnreadableCode
from grounding.formats.extracted import Sign
from grounding.intake import findings, quarantine
from grounding.intake.batches import FileRow, Step
from grounding.intake.decoding import decode
from grounding.intake.holding import OPEN, WAITING_SINCE
from grounding.models import Upload, UploadState
from grounding.pages import quarantine_words, wording


def test_every_finding_of_a_read_file_has_its_words() -> None:
    sentence = "A liquidação parou. Reinicie o nó e confirme o serviço. "
    noisy = decode((sentence * 20 + "\u200b\x01").encode()).findings
    other = decode((sentence * 20).encode("cp1252")).findings
    codes = [*noisy, *other, "mojibake"]
    assert {code.partition(":")[0] for code in codes} == {
        "invisible",
        "control",
        "encoding",
        "mojibake",
    }
    assert [code for code in codes if wording.findings([code]) == code] == []


ENDED = [state for state in UploadState if state not in OPEN]


@pytest.mark.parametrize("state", ENDED)
def test_every_state_a_file_ends_in_has_a_drawing_and_a_sentence(state: UploadState) -> None:
    code = "binary" if state == UploadState.REJECTED else ""
    row = FileRow(Upload(state=state, code=code, detail={"version": 2, "chunks": 3}), "ended")
    assert wording.state(row)
    assert wording.detail(row)


@pytest.mark.parametrize("step", [step for step in get_args(Step) if step != "ended"])
def test_every_step_on_the_way_has_a_drawing_and_a_word(step: Step) -> None:
    detail = {"chunks": 56, "done": 32, WAITING_SINCE: "2026-11-30T17:31:00+00:00"}
    row = FileRow(Upload(state=UploadState.EXTRACTED, detail=detail), step, ahead=37)
    assert wording.state(row)[1]
    said = {
        "queued": "37 arquivos à frente.",
        "indexing": "32 de 56 trechos",
        "postponed": "O serviço de embeddings não responde desde",
    }
    assert wording.detail(row).startswith(said.get(step, ""))


def test_a_pdf_of_pictures_is_told_what_to_send_instead() -> None:
    row = FileRow(Upload(state=UploadState.REJECTED, code="no_text", name="Plano.PDF"), "ended")
    assert wording.detail(row).startswith(
        "Só tem imagem, sem texto: envie o texto ou passe por OCR"
    )


@pytest.mark.parametrize("code", [*get_args(UnreadableCode), quarantine.REFUSED])
def test_every_refusal_has_its_remedy(code: str) -> None:
    row = FileRow(Upload(state=UploadState.REJECTED, code=code), "ended")
    assert wording.detail(row) not in ("", code)


@pytest.mark.parametrize("code", [*findings.KEEPS_BACK, "comments", "few_textless", "encoding"])
def test_every_finding_has_its_name_and_its_reason(code: str) -> None:
    assert wording.findings([code]) != code
    assert quarantine_words.why(Sign(code)) != code


def test_a_batch_is_summed_up_in_words() -> None:
    states = {"approved": 8, "same": 1, "rejected": 1}
    assert wording.summary(states) == "8 ativos, 1 igual a existente, 1 recusado"
    assert wording.summary({"uploaded": 2, "extracted": 1}) == "3 em andamento"
