from __future__ import annotations

from grounding import wording
from grounding.decoding import decode


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
