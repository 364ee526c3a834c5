"""HTML as Markdown: headings, lists, tables and code are kept; scripts, styles and forms are not."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

from grounding.errors import UnreadableFileError
from grounding.formats import hiding, markdown_tables
from grounding.formats.blocks_out import Blocks, fence
from grounding.formats.extracted import Extracted, Place, counted
from grounding.formats.markdown_tables import Cell

DEEP = 200  # levels of elements
_SKIPPED = frozenset(
    {"script", "style", "template", "noscript", "head", "svg", "object", "iframe", "canvas"}
    | {"audio", "video", "select", "textarea", "button", "datalist"}
)
_BLOCKS = frozenset(
    {"p", "div", "section", "article", "main", "header", "footer", "aside", "nav", "figure"}
    | {"figcaption", "blockquote", "dl", "dt", "dd", "address", "details", "summary", "form"}
    | {"fieldset", "legend", "hr", "body", "html", "caption", "center", "tr"}
)
MAX_SPAN = 100  # columns or rows that one cell may cover
_HEADING = re.compile(r"h[1-6]\Z")
_FIRST_HEADING = re.compile(r"^# ", re.M)
_LINK = re.compile(r"https?://[^\s()]+\Z")


def read(text: str) -> Extracted:
    """Raises UnreadableFileError for elements too deep to walk through."""
    tree = LexborHTMLParser(text)
    walk = _Walk(hiding.by_sheet(tree))
    if tree.root is not None:
        walk.inside(tree.root, 0)
    written = walk.out.written()
    title = _title(tree)
    if title and written and not _FIRST_HEADING.search(written):
        written = f"# {title}\n\n{written}"
    signs = counted("hidden", (Place("file", "", words) for words in walk.hidden))
    return Extracted("html", written, signs=signs, comments=tuple(walk.comments))


def _title(tree: LexborHTMLParser) -> str:
    node = tree.css_first("title")
    return " ".join(node.text().split()) if node is not None else ""


class _Walk:
    """One way through the elements, in the order of the text."""

    def __init__(self, hidden_ids: frozenset[int]) -> None:
        self.out = Blocks()
        self.hidden: list[str] = []
        self.comments: list[str] = []
        self._hidden_ids = hidden_ids
        self._lists: list[int | None] = []  # of each open list its next number, None: bullets
        self._background = 0  # open elements with a background of their own

    def inside(self, node: LexborNode, depth: int) -> None:
        if depth > DEEP:
            raise UnreadableFileError("too_complex", "elements too deep")
        for child in node.iter(include_text=True):
            self._one(child, depth + 1)

    def _one(self, node: LexborNode, depth: int) -> None:
        tag = node.tag or ""
        if tag == "-text":
            self.out.text((node.text_content or "").replace("\n", " "))
        elif node.is_comment_node:
            self._comment(node.comment_content or "")
        elif tag in _SKIPPED or tag.startswith("-"):
            return
        elif self._is_hidden(node):
            self._leave_out(node)
        else:
            self._element(node, tag, depth)

    def _element(self, node: LexborNode, tag: str, depth: int) -> None:
        covered = hiding.has_background(node)
        self._background += covered
        if tag == "br":
            self.out.text("\n")
        elif tag == "pre":
            self.out.whole(fence(node.text()))
        elif tag == "table" and _is_data(node):
            self._table(node)
        elif tag in ("ul", "ol"):
            self._list(node, tag, depth)
        elif tag == "li":
            self._item(node, depth)
        elif _HEADING.match(tag):
            self.out.lead("#" * int(tag[1]) + " ")
            self.inside(node, depth)
            self.out.no_lead()
        else:
            self._run(node, tag, depth)
        self._background -= covered

    def _run(self, node: LexborNode, tag: str, depth: int) -> None:
        """A paragraph-like element, or words inside one."""
        if tag in _BLOCKS or tag in ("table", "tbody", "thead", "tfoot", "td", "th"):
            self.out.end()
            self.inside(node, depth)
            self.out.end()
            return
        mark = "`" if tag in ("code", "kbd", "samp") else ""
        self.out.text(mark)
        self.inside(node, depth)
        self.out.text(mark + _target(node, tag))

    def _list(self, node: LexborNode, tag: str, depth: int) -> None:
        self.out.end()
        self._lists.append(_number(node, "start") if tag == "ol" else None)
        self.inside(node, depth)
        self._lists.pop()
        self.out.no_lead()

    def _item(self, node: LexborNode, depth: int) -> None:
        number = self._lists[-1] if self._lists else None
        if number is not None:
            self._lists[-1] = number + 1
        self.out.item("-" if number is None else f"{number}.", max(0, len(self._lists) - 1))
        self.inside(node, depth)
        self.out.no_lead()

    def _table(self, node: LexborNode) -> None:
        caption = node.css_first("caption")
        self.out.end()
        if caption is not None:
            self.out.text(" ".join(caption.text(separator=" ").split()))
        cells = [[self._cell(cell) for cell in row.css("td, th")] for row in node.css("tr")]
        self.out.whole(markdown_tables.table(markdown_tables.spread(cells)))

    def _cell(self, cell: LexborNode) -> Cell:
        """The cell's words; what is hidden in it stays outside like anywhere."""
        inner = _Walk(self._hidden_ids)
        inner._background = (
            self._background + 1 if hiding.has_background(cell) else self._background
        )
        inner.inside(cell, 1)
        self.hidden += inner.hidden
        self.comments += inner.comments
        return Cell(inner.out.written(), _span(cell, "colspan"), _span(cell, "rowspan"))

    def _is_hidden(self, node: LexborNode) -> bool:
        if node.mem_id in self._hidden_ids or hiding.by_attributes(node):
            return True
        return not self._background and hiding.is_white(node)

    def _leave_out(self, node: LexborNode) -> None:
        words = " ".join(node.text(separator=" ").split())
        if words:
            self.hidden.append(words)

    def _comment(self, words: str) -> None:
        if words.strip():
            self.comments.append(words.strip())


def _is_data(table: LexborNode) -> bool:
    """A table of values; one that lays out a page, with tables or headings inside, is read as text."""
    return table.css_first("table table, h1, h2, h3, pre") is None


def _target(node: LexborNode, tag: str) -> str:
    address = (node.attributes.get("href") or "") if tag == "a" else ""
    return f" ({address})" if _LINK.match(address) and address not in node.text() else ""


def _span(cell: LexborNode, name: str) -> int:
    return min(max(_number(cell, name), 1), MAX_SPAN)


def _number(node: LexborNode, name: str) -> int:
    """1 for what is no number, or no sensible one."""
    written = node.attributes.get(name) or ""
    return int(written) if written.isdecimal() and len(written) < 6 else 1
