"""Sentences that speak to an assistant instead of to the reader, in Portuguese and in English.

What is found puts a file before a person; nothing here grants or takes a right. Each gap between two
words is bounded, so that no text can make a pattern slow.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_MACHINE = (
    r"(?:ai|a\.i\.|ia|llm|chatbot|chat ?gpt|gpt|copilot|(?:ai |virtual )?assistant|language model"
    r"|assistente(?: virtual| de ia)?|modelo(?: de linguagem)|inteligencia artificial|agente de ia"
    r"|ai agent)"
)
_GAP = r"[^.!?]{0,50}?"
_PATTERNS = (
    # English
    rf"\b(?:ignore|disregard|forget|override|bypass)\b{_GAP}\b(?:previous|prior|above|earlier|preceding"
    r"|all (?:of )?(?:the|your)|your)\b[^.!?]{0,30}?\b(?:instructions?|prompts?|rules|guidelines"
    r"|directions|commands?|context)\b",
    r"\bfrom now on,? you (?:are|will|must|should|shall|only)\b",
    rf"\byou are (?:now|no longer)\b{_GAP}\b(?:{_MACHINE}|dan|unrestricted|jailbroken|bound by"
    r"|developer mode|hacker|pirate)\b",
    rf"\b(?:dear|attention|note to|notice to|message (?:to|for)|instructions? (?:to|for))"
    rf"(?: all| any)?(?: the)? {_MACHINE}s?\b",
    rf"\b(?:if you are|as) an? {_MACHINE}\b,? (?:you |please |ignore|do |must|read)",
    rf"\b(?:reveal|print|show|repeat|output|leak|disclose)\b{_GAP}\b(?:system prompt"
    r"|your (?:initial |original |hidden )?(?:instructions|prompt))\b",
    r"\bdo(?: not|n't) (?:tell|inform|alert|notify|warn|mention (?:this|it) to) the user\b",
    r"\b(?:new|updated|real) (?:system )?instructions? ?: ",
    rf"\bpretend (?:to be|that you are|you are)\b{_GAP}\b(?:{_MACHINE}|admin\w*|root|system|developer)\b",
    # Portuguese, without its accents
    rf"\b(?:ignor[ea]m?|desconsider[ea]m?|esquec[ae]m?|descart[ea]m?|desobedec[ae])\b{_GAP}"
    r"\b(?:instruc(?:ao|oes)|ordens?|regras?|orientacoes|comandos|prompts?|diretrizes)\b[^.!?]{0,30}?"
    r"\b(?:anterior(?:es)?|acima|previas?|passadas|dadas|recebidas|do sistema|iniciais|originais)\b",
    r"\b(?:ignor[ea]m?|desconsider[ea]m?|esquec[ae]m?)\b (?:todas|quaisquer|tod[ao]s? as? suas?|suas)"
    r"[^.!?]{0,30}?\b(?:instrucoes|ordens|regras|orientacoes|diretrizes)\b",
    r"\ba partir de agora,? (?:voce|vc|tu) (?:e|deve|vai|sera|ira|so|nao)\b",
    r"\bvoce (?:deve agora|agora deve|deve,? a partir de agora,?) (?:responder|dizer|agir|ignorar"
    r"|obedecer|revelar|fingir|assumir|atuar|aprovar|seguir estas|seguir as novas|se comportar)",
    rf"\bvoce (?:agora e|e agora|nao e mais)\b{_GAP}\b(?:{_MACHINE}|irrestrit[ao]|hacker|pirata)\b",
    rf"\b(?:atencao|nota|aviso|mensagem|recado|instruc(?:ao|oes)),? (?:para|ao|a|aos) (?:o |a |qualquer )?"
    rf"{_MACHINE}\b",
    rf"\bse voce (?:e|for) uma? {_MACHINE}\b",
    rf"\b(?:revele|mostre|repita|imprima|exiba|divulgue)\b{_GAP}\b(?:prompt (?:do|de) sistema"
    r"|suas instrucoes|instrucoes do sistema|seu prompt)\b",
    r"\bnao (?:conte|diga|informe|avise|mencione|revele)\b[^.!?]{0,20}?\b(?:ao|o|para o|a) usuari[oa]\b",
    r"\bnovas instrucoes ?: ",
    r"\bfinja (?:ser|que (?:e|voce e))\b",
    # The marks by which models tell the speakers apart
    r"<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[/?inst\]|<</?sys>>"
    r"|^ ?#{2,} ?(?:system|instruction) ?(?:prompt|message)? ?: ",
)
_ANY = re.compile("|".join(f"(?:{pattern})" for pattern in _PATTERNS))

WINDOW = 8_000
_OVERLAP = 400
_PLAIN = {
    point: letter.lower()
    for point in (*range(0x21, 0x250), *range(0xFF01, 0xFF5F), *range(0x1D400, 0x1D800))
    if len(letter := unicodedata.normalize("NFKD", chr(point))[:1]) == 1 and letter.isascii()
}
# Letters of other alphabets that look the same.
_PLAIN |= dict(zip(map(ord, "аеорсухіјѕԁ"), "aeopcyxijsd", strict=True))
# What Markdown writes around words and at the start of a line, and every white space.
_PLAIN |= dict.fromkeys((0x09, 0x0A, 0xA0, 0x2A, 0x60), " ")


def spans(text: str, *, most: int) -> Iterator[tuple[int, int]]:
    """Where such sentences stand, the first ones."""
    plain = text.translate(_PLAIN)
    found, done = 0, 0
    for start in range(0, max(len(plain), 1), WINDOW - _OVERLAP):
        for match in _ANY.finditer(plain[start : start + WINDOW]):
            first, last = start + match.start(), start + match.end()
            if first < done:
                continue  # seen in the window before
            found, done = found + 1, last
            if found > most:
                return
            yield first, last
