"""What of an HTML page a reader's eye would not see, by its attributes and its own style sheet."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

_HIDES = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?:\.0+)?\s*(?:[;!]|$)"
    r"|font-size\s*:\s*(?:0|[01](?:\.\d{1,6})?p[xt])\s*(?:[;!]|$)"
    r"|(?:text-indent|left|top)\s*:\s*-\d{4}",
    re.I,
)
_WHITE = re.compile(
    r"(?:^|;)\s*color\s*:\s*(?:white|#fff(?:fff)?|rgb\(\s*255\s*,\s*255\s*,\s*255\s*\))\s*(?:[;!]|$)",
    re.I,
)
_MEDIA = re.compile(r"@[^{};]{0,200}\{(?:[^{}]{0,4000}\{[^{}]{0,4000}\}){0,400}[^{}]{0,4000}\}")
_RULE = re.compile(r"([^{}@]{1,200})\{([^{}]{1,4000})\}")
_SIMPLE = re.compile(r"[\w\s.,#-]+\Z")
_RULES = 100
_SHEETS = 256 * 1024  # characters


def by_attributes(node: LexborNode) -> bool:
    found = node.attributes
    return "hidden" in found or _HIDES.search(found.get("style") or "") is not None


def is_white(node: LexborNode) -> bool:
    """Written in white by its own style; whether something dark is behind it, the caller knows."""
    found = node.attributes
    return (
        _WHITE.search(found.get("style") or "") is not None
        or (found.get("color") or "").lower() in ("white", "#ffffff", "#fff")
    ) and not has_background(node)


def has_background(node: LexborNode) -> bool:
    found = node.attributes
    return "background" in (found.get("style") or "").lower() or "bgcolor" in found


def by_sheet(tree: LexborHTMLParser) -> frozenset[int]:
    """The elements that a rule for every medium hides, by plain selectors."""
    sheets = "\n".join(node.text() for node in tree.css("style"))[:_SHEETS]
    rules = _RULE.findall(_MEDIA.sub("", sheets))
    hiding = [selector.strip() for selector, body in rules if _HIDES.search(body)]
    plain = [selector for selector in hiding if _SIMPLE.match(selector)][:_RULES]
    return frozenset(node.mem_id for selector in plain for node in tree.css(selector))
