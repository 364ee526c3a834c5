from __future__ import annotations

import random
from pathlib import Path

import pytest

from grounding.errors import UnreadableFileError
from grounding.intake.decoding import MAX_BYTES, decode

ENCODINGS = Path("../shared/data/messy-files/derived-encodings")
SENTENCE = "Não reinicie o nó: a operação está em manutenção.\n"

needs_files = pytest.mark.skipif(not ENCODINGS.is_dir(), reason="../shared/data is not here")


def refused(data: bytes) -> str:
    with pytest.raises(UnreadableFileError) as caught:
        decode(data)
    return caught.value.code


@needs_files
@pytest.mark.parametrize("kind", ["utf8-bom", "utf16le-bom", "nfd", "latin1", "cp1252-crlf"])
def test_the_same_text_comes_out_of_every_encoding(kind: str) -> None:
    reference = decode((ENCODINGS / "pos_graduacao.utf8.txt").read_bytes()).text
    assert decode((ENCODINGS / f"pos_graduacao.{kind}.txt").read_bytes()).text == reference


@needs_files
def test_text_read_in_the_wrong_encoding_before_us_is_flagged() -> None:
    decoded = decode((ENCODINGS / "pos_graduacao.mojibake.txt").read_bytes())
    assert "mojibake" in decoded.findings


@needs_files
def test_a_text_with_a_few_nul_bytes_is_the_text_without_them() -> None:
    reference = decode((ENCODINGS / "pos_graduacao.utf8.txt").read_bytes()).text
    decoded = decode((ENCODINGS / "pos_graduacao.nul-bytes.txt").read_bytes())
    assert (decoded.text, decoded.findings) == (reference, ("control:5",))


def test_plain_portuguese_has_no_findings() -> None:
    assert decode(SENTENCE.encode()).findings == ()


def test_a_short_windows_file_is_read_and_named() -> None:
    decoded = decode("Não há ação. Já está.".encode("cp1252"))
    assert decoded.text == "Não há ação. Já está."
    assert decoded.findings == ("encoding:windows-1252",)


@pytest.mark.parametrize("codec", ["cp1251", "koi8-r", "cp850", "mac-roman"])
def test_another_legacy_encoding_is_not_guessed_into_nonsense(codec: str) -> None:
    text = "Перезапустите сервер" if codec in ("cp1251", "koi8-r") else SENTENCE
    assert refused(text.encode(codec) * 5) == "not_text"


def test_japanese_bytes_are_read_as_such() -> None:
    decoded = decode("サーバーを再起動してください。".encode("cp932"))
    assert decoded.text == "サーバーを再起動してください。"
    assert decoded.findings == ("encoding:cp932",)


@pytest.mark.parametrize(
    "start", [b"%PDF-1.7\n", b"PK\x03\x04", b"\x89PNG\r\n", b"\x1f\x8b\x08", b"{\\rtf1 "]
)
def test_content_decides_the_type_not_the_name(start: bytes) -> None:
    assert refused(start + b"hello world") == "binary"


@pytest.mark.parametrize("data", [b"", b" \n\t ", "\ufeff".encode(), "\u200b\u200b".encode()])
def test_nothing_to_read_is_empty(data: bytes) -> None:
    assert refused(data) == "empty"


def test_one_byte_over_the_limit_is_too_large() -> None:
    assert refused(b"a" * (MAX_BYTES + 1)) == "too_large"


def test_a_file_at_the_limit_is_read() -> None:
    assert len(decode(b"a" * MAX_BYTES).text) == MAX_BYTES


def test_random_bytes_are_never_read_as_text() -> None:
    source = random.Random(7)  # noqa: S311 - not a secret
    for size in (100, 1_000, 5_000):
        for _ in range(40):
            assert refused(source.randbytes(size)) in {"binary", "not_text"}


def test_random_bytes_without_controls_are_never_read_as_text() -> None:
    source = random.Random(8)  # noqa: S311 - not a secret
    pool = [*range(32, 127), *range(128, 256)]
    for _ in range(60):
        assert refused(bytes(source.choices(pool, k=200))) == "not_text"


def test_utf16_that_is_cut_in_half_is_not_text() -> None:
    assert refused(SENTENCE.encode("utf-16")[:-1]) == "not_text"


def test_hidden_characters_are_counted_and_gone() -> None:
    hidden = "Reinicie\u200b o nó\u202e agora\U000e0041\U000e0042."
    decoded = decode(hidden.encode())
    assert (decoded.text, decoded.findings) == ("Reinicie o nó agora.", ("covert:4",))


def test_line_ends_become_one_kind() -> None:
    assert decode(b"a\r\nb\rc\n").text == "a\nb\nc\n"


def test_a_log_with_terminal_colours_is_text_without_them() -> None:
    decoded = decode(b"\x1b[31mfailed\x1b[0m to start the unit\n" * 3)
    assert "\x1b" not in decoded.text
    assert decoded.findings == ("control:6",)
