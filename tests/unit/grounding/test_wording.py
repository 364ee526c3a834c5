from __future__ import annotations

import pytest

from grounding import wording
from grounding.decoding import decode
from grounding.models import Upload, UploadState


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


@pytest.mark.parametrize("state", UploadState)
def test_every_state_of_a_file_has_a_drawing_and_a_sentence(state: UploadState) -> None:
    row = Upload(state=state, detail={"version": 2, "chunks": 3})
    assert wording.state(row)
    assert wording.detail(row)
