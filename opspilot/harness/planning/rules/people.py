"""Where a person is needed: they ask for one, they are in distress, or the law is being called upon."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from opspilot.harness.planning.rules import words
from opspilot.harness.planning.rules.text import Reading

_PERSON: Final = words.those("""pessoa humano humana atendente alguem supervisor supervisora gerente analista responsavel person
    human someone somebody supervisor manager representative colega plantonista gente
    coordenador coordenadora chefe""")
# Whoever needs `someone to restart it` asks for the restart.
_NAMED: Final = _PERSON - {"alguem", "someone", "somebody", "gente", "responsavel", "colega"}
_TO: Final = words.those("com to with pra para")
_SMALL: Final = words.those("um uma a de real me o the")
_TALK: Final = words.those("""falar conversar fale conversa passa passe transfere transfira transferir talk speak chat connect
    transfer escalate escale escalar atenda atender atendimento tratar chame chama chamar call""")
_WANT: Final = words.those("quero queria preciso need want gostaria give get real")
_SELF: Final = words.those("""vou vamos irei iremos vai vao ill ameaca ameacou ameacando ameacaram threatens threatening
    threatened will going pretendo meu minha nosso nossa my our entrar entrou acionar acionei acionou
    processarei""")
_LAW: Final = words.those("""advogado advogada advogados procon judicial judicialmente justica juridico tribunal lawyer lawyers
    attorney sue suing lawsuit court litigation policia police processar processando
    judicializar""")
# `processar a fila` is work; these are not.
_AGAINST: Final = words.those("voces empresa companhia voce vcs concessionaria banco eles")
_DISTRESS: Final = words.those("""suicidio suicidar suicide socorro desesperado desesperada desespero desperate electrocuted
    eletrocutado eletrocutada eletrocutada ferido ferida feridos injured assedio harassment
    assediado assediada chorando""")
_CRIES: Final = (
    ("nao", "aguento", "mais"), ("quero", "morrer"), ("me", "matar"), ("tirar", "minha", "vida"),
    ("kill", "myself"), ("end", "my", "life"), ("cant", "take", "it", "anymore"),
    ("cant", "take", "this", "anymore"), ("cant", "cope"), ("passando", "mal"),
    ("ataque", "de", "panico"), ("panic", "attack"), ("legal", "action"), ("small", "claims"),
    ("acao", "judicial"), ("someone", "is", "hurt"), ("choque", "eletrico"), ("vidas", "em", "risco"),
    ("risco", "de", "vida"), ("risco", "de", "morte"), ("not", "a", "bot"), ("nao", "um", "robo"),
    ("ser", "humano"), ("human", "being"),
)  # fmt: skip
_REACH = 6


def are_needed(reading: Reading) -> bool:
    for sentence in reading.sentences:
        said = list(sentence.words())
        if _asks_for_one(said) or _calls_the_law(said) or _cries(said):
            return True
    return False


def _asks_for_one(said: Sequence[str]) -> bool:
    """`falar com uma pessoa`, `quero um humano`, `talk to someone`"""
    for at, word in enumerate(said):
        near = said[at + 1 : at + 5]
        talks = word in _TALK and not _TO.isdisjoint(near[:2]) and not _PERSON.isdisjoint(near)
        wants = word in _WANT and _follows(near, _NAMED, skipping=_SMALL)
        if talks or wants:
            return True
    return False


def _follows(near: Sequence[str], those: Collection[str], *, skipping: Collection[str]) -> bool:
    rest = [word for word in near if word not in skipping]
    return bool(rest) and rest[0] in those


def _calls_the_law(said: Sequence[str]) -> bool:
    for at, word in enumerate(said):
        before = set(said[max(at - _REACH, 0) : at])
        if word not in _LAW or before.isdisjoint(_SELF):
            continue
        if not word.startswith("process") or not _AGAINST.isdisjoint(said[at + 1 : at + 4]):
            return True
    return False


def _cries(said: Sequence[str]) -> bool:
    if not _DISTRESS.isdisjoint(said):
        return True
    windows = {cry: len(cry) for cry in _CRIES}
    return any(
        tuple(said[at : at + size]) == cry
        for at in range(len(said))
        for cry, size in windows.items()
    )
