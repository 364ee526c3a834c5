"""What words mean to be done: the forms of each verb, in Portuguese and in English, by what they do.

A template is found by the same groups: its alias, or a value that one of its variables takes, holds
a word of the group (`server_action: restart`, `implantar-servico`). A group that no template offers
is nothing that this console does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from opspilot.harness.planning.rules.words import those

INFO, LOOK, RUN, VAGUE = "info", "look", "run", "vague"
CREATE, PUT, OUT, RAISE = "create", "put", "out", "raise"
GIVE, NOTIFY, LABEL, USE = "give", "notify", "label", "use"
STATUS, RESTART, DEPLOY = "status", "restart", "deploy"

# Asks for words, not for work.
ASKING_FOR_WORDS = frozenset({INFO, LOOK})
# Says nothing without its object: a rule beside it looks for one.
LIGHT = frozenset({RUN, CREATE, PUT, OUT, RAISE, GIVE, NOTIFY, LABEL, USE})

_VERBS: Final[Mapping[str, tuple[str, str]]] = {
    # group: (Portuguese infinitives, English base forms)
    INFO: (
        "mostrar listar explicar dizer informar buscar procurar pesquisar achar encontrar descobrir"
        " entender saber ajudar detalhar resumir comparar lembrar identificar conhecer contar"
        " ensinar orientar esclarecer responder perguntar aprender indicar",
        "show tell explain list find search describe help summarize summarise compare know understand"
        " learn clarify remind get explain advise point figure",
    ),
    LOOK: (
        "verificar checar conferir consultar ver olhar investigar analisar confirmar avaliar revisar"
        " validar estudar ler monitorar acompanhar diagnosticar apurar seguir",
        "check verify see look investigate analyze analyse diagnose confirm review read monitor"
        " examine inspect follow",
    ),
    RUN: (
        "fazer rodar executar realizar efetuar providenciar aplicar",
        "do run execute perform trigger",
    ),
    USE: ("usar utilizar preparar", "use prepare"),
    VAGUE: (
        "resolver arrumar consertar corrigir ajeitar cuidar tratar solucionar normalizar destravar",
        "fix handle resolve repair sort solve address",
    ),
    CREATE: (
        "abrir criar registrar cadastrar gerar lancar anotar",
        "open create file raise log submit report register",
    ),
    PUT: ("por colocar botar meter passar deixar", "put place set take bring switch"),
    OUT: ("tirar retirar remover sair voltar", "remove"),
    RAISE: ("subir atualizar", "push update upgrade"),
    GIVE: ("dar liberar adicionar incluir tornar atribuir acrescentar", "add make assign give"),
    NOTIFY: ("avisar notificar alertar comunicar", "notify inform alert"),
    LABEL: ("marcar etiquetar rotular", "label tag mark"),
    RESTART: ("reiniciar restartar rebootar reinicializar resetar", "restart reboot bounce"),
    DEPLOY: ("implantar publicar deployar", "deploy redeploy release publish ship rollout"),
    "start": ("iniciar ligar ativar habilitar levantar", "start enable activate"),
    "stop": (
        "parar desligar interromper derrubar matar desativar desabilitar suspender",
        "stop shutdown shut kill terminate disable deactivate",
    ),
    "rollback": ("reverter desfazer restaurar", "rollback revert undo restore"),
    "clean": ("limpar expurgar", "clean clear purge"),
    "delete": (
        "apagar deletar excluir dropar truncar formatar eliminar zerar",
        "delete drop erase wipe truncate format destroy",
    ),
    "pay": (
        "pagar estornar reembolsar depositar faturar cobrar transferir emitir",
        "pay refund transfer wire deposit charge invoice",
    ),
    "decide": (
        "aprovar reprovar recusar autorizar votar",
        "approve reject authorize authorise deny vote",
    ),
    "permit": (
        "conceder revogar desbloquear bloquear promover redefinir",
        "grant revoke unlock lock block unblock promote",
    ),
    "send": ("enviar encaminhar disparar mandar", "send email e-mail text forward call"),
    "alter": (
        "alterar mudar trocar configurar modificar editar aumentar diminuir reduzir ajustar migrar"
        " reprocessar instalar desinstalar escalar provisionar clonar copiar mover importar exportar"
        " baixar reconfigurar desconectar",
        "change modify alter edit increase decrease reduce migrate reprocess rerun retry install"
        " uninstall scale provision clone copy move import export download configure reset merge adjust",
    ),
    "close": ("fechar encerrar cancelar comentar concluir", "close cancel comment abort"),
    "other": (
        "comprar vender contratar demitir agendar reservar traduzir escrever redigir",
        "buy order purchase sell hire schedule book translate write compose draft",
    ),
}  # fmt: skip

# Forms that no ending gives.
_IRREGULAR: Final[Mapping[str, str]] = {
    INFO: "diga diz dizer digam conte saiba sabe ensine",
    LOOK: "siga sigam veja ve vejam confere confira leia le olha olhe",
    RUN: "faca faz facam",
    GIVE: "deem",
    PUT: "ponha poe ponham coloque coloca bota bote",
    OUT: "tire tira saia sai",
    RAISE: "suba sobe subam",
    VAGUE: "conserte conserta",
    CREATE: "abra abre abram",
    "send": "mande manda",
    "pay": "transfira transfiram",
    "rollback": "desfaca desfacam",
}

_NOUNS: Final[Mapping[str, str]] = {
    RESTART: "restart reinicio reinicializacao reboot restarte",
    DEPLOY: "deploy implantacao publicacao release deployment redeploy rollout",
    STATUS: "status situacao",
    "rollback": "rollback reversao restauracao",
    "stop": "parada shutdown desligamento",
    "clean": "limpeza cleanup",
    "backup": "backup",
    "delete": "exclusao delete drop",
    "pay": "pagamento estorno reembolso transferencia pix payment refund",
    "alter": "reprocessamento reset upgrade migracao",
}
_ENCLITICS = ("-o", "-a", "-os", "-as", "-me", "-lo", "-la", "-los", "-las", "-nos")


def _portuguese(infinitive: str) -> Iterator[str]:
    """Imperative in every person, infinitive, and what follows `queria que`."""
    stem, vowel = infinitive[:-2], infinitive[-2:-1]
    yield from (infinitive, infinitive + "em", f"{stem}{vowel}sse", f"{stem}{vowel}ssem")
    if vowel == "a":
        soft = {"c": stem[:-1] + "qu", "g": stem + "u"}.get(stem[-1:], stem)
        yield from (stem + "a", soft + "e", soft + "em")
    else:
        yield from (stem + "a", stem + "e", stem + "am")


def _done(infinitive: str) -> Iterator[str]:
    stem = infinitive[:-1] if infinitive[-2:-1] == "a" else infinitive[:-2] + "i"
    yield from (f"{stem}d{ending}" for ending in ("o", "a", "os", "as"))


def _english_done(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    return base[:-1] + "ied" if base.endswith("fy") else base + "ed"


def _english_doing(base: str) -> str:
    return (base[:-1] if base.endswith("e") else base) + "ing"


def _split() -> Iterator[tuple[str, list[str], list[str]]]:
    for group, (portuguese, english) in _VERBS.items():
        yield group, portuguese.split(), english.split()


def _forms() -> Iterator[tuple[str, str]]:
    for group, portuguese, english in _split():
        words = [form for verb in portuguese for form in _portuguese(verb)]
        yield from ((form, group) for form in (*words, *english))
    for group, words_ in _IRREGULAR.items():
        yield from ((form, group) for form in words_.split())


def _first_of_each(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for form, group in pairs:
        found.setdefault(form, group)
    return found


_OTHER_WORDS = frozenset({"para", "de", "la"})  # far more often than the verbs
FORMS: Final = _first_of_each(pair for pair in _forms() if pair[0] not in _OTHER_WORDS)
INFINITIVES: Final = frozenset(
    form for _group, verbs, english in _split() for form in (*verbs, *english)
)
ENGLISH: Final = frozenset(form for _group, _verbs, english in _split() for form in english)
DONE: Final = _first_of_each(
    [(form, group) for group, verbs, _en in _split() for verb in verbs for form in _done(verb)]
    + [(_english_done(verb), group) for group, _pt, english in _split() for verb in english]
)
DOING: Final = {_english_doing(verb): group for group, _pt, english in _split() for verb in english}
NOUNS: Final = {form: group for group, words in _NOUNS.items() for form in words.split()}


# Where nothing else tells, these are things: `baixa duplicada`, `report 12 is empty`.
THINGS: Final = those(
    """baixa conta escala compra reserva troca consulta marca copia carga parada order charge call text
    book file report log release ship block lock transfer invoice email search address point place set
    push update upgrade change edit copy import export download reset list sort help"""
)


def group_of(word: str) -> str:
    """Of a verb as it is said to somebody, or in its infinitive; "" for any other word."""
    if word in FORMS:
        return FORMS[word]
    for ending in _ENCLITICS:
        if word.endswith(ending):
            return FORMS.get(word.removesuffix(ending), FORMS.get(word[: -len(ending)] + "r", ""))
    return ""


PHRASES: Final = {
    ("roll", "out"): DEPLOY,
    ("roll", "back"): "rollback",
    ("shut", "down"): "stop",
    ("turn", "off"): "stop",
    ("power", "off"): "stop",
    ("turn", "on"): "start",
}


def any_group_of(word: str) -> str:
    """Of any form that is listed, also of what was done."""
    return group_of(word) or DONE.get(word) or DOING.get(word, "")


def is_infinitive(word: str) -> bool:
    return word in INFINITIVES or word.removesuffix("-lo").removesuffix("-la") + "r" in INFINITIVES


def is_plain_order(word: str) -> bool:
    """A form that says nothing but `do it`: `reinicie`, and not `reinicia`, that is also `it restarts`."""
    return word in FORMS and word not in INFINITIVES and not word.endswith("a")


def meaning(word: str) -> str:
    """The group that a word of an alias, or of a value, stands for."""
    return FORMS.get(word) or NOUNS.get(word, "")
