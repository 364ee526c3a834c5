"""Words of the categories that LGPD, art. 5º, II calls sensitive, in Portuguese and English.

Whole words only. What also has a plain meaning in operations is left out on purpose: "saúde" (of a
connector), "diagnóstico", "política" (the rules of a company), "race", "union", "fingerprint". The
same list stands in docs/reference/what-never-enters.md; a company adds terms on `/trilha/revisao/`.
"""

from __future__ import annotations

import re
import unicodedata

HEALTH = (
    "hiv", "soropositivo", "soropositiva", "câncer", "cancer", "oncológico", "oncológica",
    "quimioterapia", "chemotherapy", "diabetes", "diabético", "diabética", "diabetic", "epilepsia",
    "epilepsy", "esquizofrenia", "schizophrenia", "autismo", "autista", "autism", "autistic",
    "transtorno bipolar", "bipolar disorder", "depressão", "antidepressivo", "antidepressivos",
    "antidepressant", "psiquiatra", "psiquiátrico", "psiquiátrica", "psychiatric", "psychiatrist",
    "doença", "doenças", "enfermidade", "disease", "illness", "grávida", "gravidez", "gestante",
    "pregnant", "pregnancy", "aborto", "abortion", "prontuário médico", "prontuario medico",
    "laudo médico", "atestado médico", "medical record", "medical records", "plano de saúde",
    "health insurance", "pessoa com deficiência", "dependência química",
)  # fmt: skip
BIOMETRICS = (
    "biometria", "biométrico", "biométrica", "biométricos", "biométricas", "biometric",
    "biometrics", "reconhecimento facial", "facial recognition", "leitura de íris", "iris scan",
    "dado genético", "dados genéticos", "genetic data", "exame de dna", "dna test",
)  # fmt: skip
ORIGIN = (
    "origem racial", "origem étnica", "raça e cor", "cor da pele", "etnia", "racial", "ethnicity",
    "ethnic origin", "racial origin", "skin color", "skin colour", "quilombola", "indígena",
    "indigenous", "afrodescendente",
)  # fmt: skip
OPINION = (
    "opinião política", "opiniões políticas", "filiação partidária", "partido político",
    "political opinion", "political opinions", "political party", "political affiliation",
    "convicção filosófica", "philosophical belief",
)  # fmt: skip
RELIGION = (
    "religião", "religioso", "religiosa", "religion", "religious", "católico", "católica",
    "catholic", "evangélico", "evangélica", "evangelical", "espírita", "umbanda", "candomblé",
    "judeu", "judia", "judaísmo", "jewish", "muçulmano", "muçulmana", "muslim", "islâmico",
    "budista", "buddhist", "ateu", "atheist", "testemunha de jeová", "jehovah's witness",
)  # fmt: skip
SEX_LIFE = (
    "vida sexual", "sex life", "orientação sexual", "sexual orientation", "homossexual",
    "homosexual", "bissexual", "bisexual", "gay", "lésbica", "lesbian", "transexual",
    "transgênero", "transgender", "identidade de gênero", "gender identity",
)  # fmt: skip
UNION = (
    "filiação sindical", "sindicato", "sindicatos", "sindicalizado", "sindicalizada",
    "sindicalista", "trade union", "labor union", "labour union", "union member",
    "union membership",
)  # fmt: skip


def _plain(text: str) -> str:
    """Without accents; as long as the text itself when that is composed."""
    return "".join(
        unicodedata.normalize("NFD", char)[0] if not char.isascii() else char for char in text
    )


TERMS = frozenset(HEALTH + BIOMETRICS + ORIGIN + OPINION + RELIGION + SEX_LIFE + UNION)
_WORDS = re.compile(r"[^\W\d_]+")
_FIRST = frozenset(_WORDS.findall(spelt)[0] for term in TERMS for spelt in (term, _plain(term)))
_TERM = re.compile(
    r"(?<![^\W_])(?:"
    + "|".join(
        re.escape(_plain(term)).replace(r"\ ", r"[\s_-]+")
        for term in sorted(TERMS, key=len, reverse=True)
    )
    + r")(?![^\W_])"
)


def spans(text: str) -> list[tuple[int, int]]:
    """Where such words stand. Most texts have no first word of any, and cost one look."""
    low = text.lower()
    if _FIRST.isdisjoint(_WORDS.findall(low)):
        return []
    if len(low) != len(text):  # a few capitals have longer small forms, and places must not move
        low = text
    return [found.span() for found in _TERM.finditer(_plain(low))]
