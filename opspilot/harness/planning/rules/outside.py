"""What is wanted and is nothing that this console does; and what is too vague to be anything."""

from __future__ import annotations

from typing import Final

from opspilot.harness.planning.rules import verbs, words
from opspilot.harness.planning.rules.moods import Command
from opspilot.harness.planning.rules.text import Reading, Token

_ACCESS: Final = words.those("""permissao permissoes acesso acessos papel role roles admin administrador senha password passwords
    permission permissions access rights privilegio privilegios privileges policy politica politicas
    quorum usuario usuarios user users conta account accounts limite alcada grupo group aprovador
    approver""")
# `avise quando terminar` is said to a colleague, and asks for nothing.
_WHEN: Final = words.CONDITIONS | words.those("assim depois que me gente us as")
_MACHINE_TEXT: Final = words.those("""script scripts sql query queries comando comandos command commands select rm drop shell bash
    macro relatorio report planilha backup dump""")
_TASKS: Final = words.those("template templates tarefa task job rotina playbook automacao")
_READING: Final = words.RUNBOOKS | words.those("documento document pagina page log logs")
_OBJECTS: Final = {
    verbs.GIVE: _ACCESS | words.ISSUES,
    verbs.RUN: _MACHINE_TEXT | _ACCESS,
    verbs.RAISE: _ACCESS | words.ISSUES,
    verbs.PUT: _ACCESS,
    verbs.OUT: _ACCESS,
}
_LOOSE: Final = words.those(
    "isso isto aquilo it that this jeito sempre mesmo needful usual tudo everything thing"
)


def is_outside(command: Command, said: list[str]) -> bool:
    """A group that stands for itself, or a light verb with an object that is not the console's."""
    if command.group in {verbs.VAGUE, verbs.USE}:
        return False
    if command.group == verbs.CREATE:
        return not _READING.intersection(said[:4])
    if command.group == verbs.NOTIFY:
        return bool(said) and said[0] not in _WHEN
    objects = _OBJECTS.get(command.group)
    return objects is None or not objects.isdisjoint(said[:8])


def wants_a_task(command: Command, said: list[str]) -> bool:
    """`rode o template …`, without a name that exists."""
    return command.group == verbs.RUN and not _TASKS.isdisjoint(said[:4])


def is_loose(command: Command, said: list[str]) -> bool:
    """`resolve isso`, `faz aquilo`, `do the usual`"""
    return command.group == verbs.VAGUE or (
        command.group in {verbs.RUN, verbs.RAISE, verbs.GIVE}
        and (not said or not _LOOSE.isdisjoint(said[:5]))
    )


def is_empty(reading: Reading) -> bool:
    """A greeting, a thank you, a bare name of a machine, nothing."""
    tokens = [token for one in reading.sentences for token in one.tokens if token.is_name]
    return not reading.has_quotes and all(_says_nothing(token) for token in tokens)


def _says_nothing(token: Token) -> bool:
    small = words.OPENING | words.FILLERS | words.LINKS | words.WISHES | words.REQUESTS
    extra = {
        "sim",
        "tudo",
        "bem",
        "td",
        "como",
        "vai",
        "nao",
        "yes",
        "no",
        "teste",
        "test",
        "isso",
        "help",
        "ajuda",
        "socorro",
    }
    is_code = "-" in token.folded and any(char.isdecimal() for char in token.folded)
    return token.folded in small or token.folded in extra or is_code or len(token.folded) < 2
