"""Markdown as the issue tracker will draw it, for reading only: no links to follow, no images, no
HTML, hidden characters shown. CommonMark with tables and strikethrough. Pure.

What it does not draw as the tracker does: references, emoji names, formulas, diagrams, footnotes
and task boxes stay as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

import nh3
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from opspilot.presentation.templatetags.opspilot import visible

_TAGS = {
    "b", "blockquote", "br", "code", "em", "hr", "li", "ol", "p", "pre", "s", "span", "strong",
    "table", "tbody", "td", "th", "thead", "tr", "ul", "wbr",
}  # fmt: skip
_CLASSES = {
    "blockquote": {"quote"},
    "span": {"inv", "vh", "muted"},
    "table": {"table"},
    "ul": {"bullets"},
}
# Where a word this long may break, so that no page grows wider than its reader's.
_LONG = re.compile(r"([^\s&;]{30})(?=[^\s&;])")
Options = Any
Env = Any


def as_drawn(text: str) -> SafeString:
    """HTML that is safe to put on a page, whatever the text is."""
    drawn = nh3.clean(
        _reader().render(text),
        tags=_TAGS,
        attributes={"th": {"scope"}},
        allowed_classes=_CLASSES,
        link_rel=None,
    )
    return mark_safe(drawn)  # noqa: S308 -- cleaned one line above


@cache
def _reader() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False}, renderer_cls=_Renderer)
    return reader.enable(["table", "strikethrough"]).disable(["image", "html_block", "html_inline"])


class _Renderer(RendererHTML):
    """A heading is bold and no heading: the outline of the page stays the page's."""

    def text(self, tokens: Sequence[Token], at: int, options: Options, env: Env) -> str:
        return _breakable(tokens[at].content)

    def code_inline(self, tokens: Sequence[Token], at: int, options: Options, env: Env) -> str:
        return f"<code>{_breakable(tokens[at].content)}</code>"

    def code_block(self, tokens: Sequence[Token], at: int, options: Options, env: Env) -> str:
        return format_html("<pre>{}</pre>", visible(tokens[at].content, "pre"))

    def fence(self, tokens: Sequence[Token], at: int, options: Options, env: Env) -> str:
        return self.code_block(tokens, at, options, env)

    def heading_open(self, tokens: Sequence[Token], at: int, options: Options, env: Env) -> str:
        return "<p><b>"

    def heading_close(self, tokens: Sequence[Token], at: int, options: Options, env: Env) -> str:
        return "</b></p>"

    def blockquote_open(self, tokens: Sequence[Token], at: int, options: Options, env: Env) -> str:
        return '<blockquote class="quote">'

    def bullet_list_open(self, tokens: Sequence[Token], at: int, options: Options, env: Env) -> str:
        return '<ul class="bullets">'

    def list_item_open(self, tokens: Sequence[Token], at: int, options: Options, env: Env) -> str:
        number = tokens[at].info
        return format_html("<li>{}. ", number) if number else "<li>"

    def table_open(self, tokens: Sequence[Token], at: int, options: Options, env: Env) -> str:
        return '<table class="table">'

    def th_open(self, tokens: Sequence[Token], at: int, options: Options, env: Env) -> str:
        return '<th scope="col">'

    def td_open(self, tokens: Sequence[Token], at: int, options: Options, env: Env) -> str:
        return "<td>"

    def link_open(self, tokens: Sequence[Token], at: int, options: Options, env: Env) -> str:
        written_out = tokens[at].info == "auto"
        env["target"] = "" if written_out else str(tokens[at].attrGet("href") or "")
        return ""

    def link_close(self, tokens: Sequence[Token], at: int, options: Options, env: Env) -> str:
        """Where the link leads, in words: nobody follows it from here. Links do not nest."""
        if not env["target"]:
            return ""
        target = _breakable(env["target"])
        return f' <span class="muted">({_("link para")} <code>{target}</code>)</span>'


def _breakable(text: str) -> str:
    return _LONG.sub(r"\1<wbr>", str(visible(text)))
