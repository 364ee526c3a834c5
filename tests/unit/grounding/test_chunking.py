from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grounding.reading.chunking import LIMIT, Piece, Policy, document_title, split

RUNBOOKS = Path("../shared/data/runbooks-prometheus-operator/files")
APART = Policy(overlap=False)
LONG = "Uma frase que ocupa espaço no documento. " * 12

blocks = st.sampled_from(
    [
        "# Título",
        "## Passos ##",
        "Setext\n======",
        "Texto simples com `código`.",
        LONG,
        "- um\n- dois\n  - três",
        "1. a\n2. b",
        "```sh\n# não é título\nkubectl get pods\n```",
        "```\n" + "linha de comando\n" * 120 + "```",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "- item longo de uma lista\n" * 90,
        "[ref]: https://example.org",
        "<!-- nota -->",
        "> citação",
        "x" * 3000,
        "    código indentado",
        "",
    ]
)
documents = st.lists(blocks, max_size=12).map("\n\n".join)


def markdown(text: str, policy: Policy = APART) -> list[Piece]:
    return split(text, title="Doc", policy=policy)


def faithful(source: str, pieces: list[Piece]) -> None:
    position = 0
    for ordinal, piece in enumerate(pieces):
        assert piece.ordinal == ordinal
        assert piece.text == source[piece.start : piece.end]
        assert piece.text.strip()
        assert len(piece.text) <= LIMIT
        assert piece.start >= position
        assert piece.shown in piece.searched
        position = piece.end


def left_out(source: str, pieces: list[Piece]) -> str:
    edges = [0, *(edge for piece in pieces for edge in (piece.start, piece.end)), len(source)]
    return "".join(source[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True))


@settings(max_examples=150, deadline=None)
@given(documents)
def test_pieces_are_spans_of_the_source_in_order(source: str) -> None:
    faithful(source, markdown(source))


@settings(max_examples=150, deadline=None)
@given(documents)
def test_nothing_but_headings_is_left_out(source: str) -> None:
    rest = left_out(source, markdown(source))
    for heading in ("# Título", "## Passos ##", "Setext\n======"):
        rest = rest.replace(heading, "")
    assert rest.strip() == ""


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="# \n-`|a.:>\r\t=", max_size=400))
def test_broken_markup_still_gives_faithful_pieces(source: str) -> None:
    faithful(source, markdown(source))
    faithful(source, split(source, title="Doc", kind="plain", policy=APART))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(["palavra", LONG, "\n\n", "\n", "y" * 2000]), max_size=10))
def test_a_plain_text_is_kept_whole(parts: list[str]) -> None:
    source = " ".join(parts)
    pieces = split(source, title="Doc", kind="plain", policy=APART)
    faithful(source, pieces)
    assert left_out(source, pieces).strip() == ""


@pytest.mark.skipif(not RUNBOOKS.is_dir(), reason="../shared/data is not here")
def test_every_real_runbook_gives_faithful_pieces() -> None:
    files = sorted(RUNBOOKS.rglob("*.md"))
    assert len(files) > 100
    for file in files:
        source = file.read_text(encoding="utf-8")
        pieces = split(source, title=document_title(source, file.name), policy=APART)
        assert pieces, file.name
        faithful(source, pieces)


def test_a_comment_inside_a_fence_is_not_a_heading() -> None:
    (piece,) = markdown("# Passos\n\n```sh\n# apaga tudo\nrm x\n```\n")
    assert piece.heading_path == ("Passos",)
    assert piece.text.count("```") == 2


def test_a_fence_that_fits_is_never_cut() -> None:
    fence = "```\n" + "kubectl get pods\n" * 40 + "```"
    pieces = markdown(f"{LONG}{LONG}\n\n{fence}\n\n{LONG}{LONG}")
    assert any(fence in piece.text for piece in pieces)


def test_a_long_table_is_cut_between_rows() -> None:
    table = "| host | uso |\n|---|---|\n" + "| servidor-de-banco | 95 |\n" * 120
    pieces = markdown(table)
    assert len(pieces) > 1
    assert all(line.count("|") == 3 for piece in pieces for line in piece.text.splitlines())


def test_a_long_list_is_cut_between_items() -> None:
    item = "- primeiro passo do procedimento\n  que continua nesta linha\n"
    pieces = markdown(item * 60)
    assert len(pieces) > 1
    assert all(piece.text.startswith("- ") for piece in pieces)


def test_the_heading_path_has_every_level() -> None:
    source = f"# A\n\n{LONG}\n\n## B\n\n{LONG}\n\n### C `d`\n\n{LONG}\n\n## E\n\n{LONG}"
    assert [piece.heading_path for piece in markdown(source)] == [
        ("A",),
        ("A", "B"),
        ("A", "B", "C d"),
        ("A", "E"),
    ]


def test_short_sections_share_a_piece_with_their_headings_inside() -> None:
    (piece,) = markdown("# A\n\n## Causa\n\nDisco cheio.\n\n## Ação\n\nApague logs.")
    assert piece.heading_path == ("A",)
    assert "Disco cheio." in piece.text
    assert "## Ação" in piece.text


def test_what_is_searched_has_title_headings_and_text() -> None:
    (piece,) = markdown("# Disco\n\nApague os logs antigos.")
    assert piece.searched == "Doc\nDisco\nApague os logs antigos."


def test_headings_alone_make_no_piece() -> None:
    assert markdown("# A\n\n## B\n") == []


@pytest.mark.parametrize(
    "front", ['---\ntitle: "Disco cheio"\n---\n', '+++\ntitle = "Disco cheio"\n+++\n']
)
def test_front_matter_gives_the_title_and_no_text(front: str) -> None:
    source = front + "# Outro\n\nTexto do documento."
    (piece,) = markdown(source)
    assert document_title(source, "a.md") == "Disco cheio"
    assert piece.text == "Texto do documento."


def test_without_front_matter_the_first_heading_is_the_title() -> None:
    assert document_title("texto\n\n# Nó `fora`\n", "a.md") == "Nó fora"


def test_without_any_heading_the_file_name_is_the_title() -> None:
    assert document_title("texto", "docs/etcd-sem-lider.md") == "etcd-sem-lider"
