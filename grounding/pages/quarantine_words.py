"""What each finding means, why it keeps a file back, and where it stands, in words."""

from __future__ import annotations

from collections.abc import Callable

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from grounding.formats.extracted import Place, Sign, Where
from grounding.intake.findings import KEEPS_BACK

_WHY: dict[str, Promise] = {
    "hidden": gettext_lazy(
        "Palavras que quem abre o original não vê: marcadas como ocultas, minúsculas ou da cor do"
        " fundo. Em HTML, DOCX e XLSX elas ficam fora do texto; em PDF, fazem parte dele."
    ),
    "covert": gettext_lazy(
        "Caracteres que nenhuma tela desenha, em número ou de um tipo que não vem por acaso. Foram"
        " retirados do texto."
    ),
    "imperative": gettext_lazy(
        "Uma frase que fala com um assistente, e não com quem lê. Ela não muda o que o console"
        " pode fazer, mas pode mudar uma resposta."
    ),
    "secret": gettext_lazy(
        "Algo que parece senha, chave ou token. Publicado, aparece a todos que leem a coleção."
    ),
    "personal": gettext_lazy(
        "CPF, CNPJ ou número de cartão. Publicado, aparece a todos que leem a coleção."
    ),
    "mojibake": gettext_lazy(
        "Acentos trocados: o texto foi salvo em uma codificação e lido em outra. Perguntas não o"
        " encontram bem."
    ),
    "textless": gettext_lazy("Boa parte das páginas é só imagem: o que elas dizem não é achado."),
    "encoding": gettext_lazy("O texto não estava em UTF-8 e foi convertido."),
    "invisible": gettext_lazy("Poucos caracteres invisíveis, retirados do texto."),
    "control": gettext_lazy("Caracteres de controle, retirados do texto."),
    "comments": gettext_lazy("Comentários do original não fazem parte do texto."),
    "few_textless": gettext_lazy("Poucas páginas são só imagem."),
}
_WHERE: dict[Where, Callable[[str], str]] = {
    "line": lambda at: _("linha %(at)s") % {"at": at},
    "page": lambda at: _("página %(at)s") % {"at": at},
    "sheet": lambda at: _("planilha %(at)s") % {"at": at},
    "comment": lambda at: _("comentário %(at)s") % {"at": at},
    "file": lambda at: _("no arquivo"),
}


def why(sign: Sign) -> str:
    return str(_WHY.get(sign.code, sign.code))


def keeps_back(sign: Sign) -> str:
    """Whether it is what the file waits for."""
    return _("retém o arquivo") if sign.code in KEEPS_BACK else _("só registrado")


def place(found: Place) -> str:
    return _WHERE[found.where](found.at)


def count(sign: Sign) -> str:
    """How often, when that is what the sign tells, and how much of it is shown."""
    if not sign.detail.isdecimal():
        return sign.detail
    number = int(sign.detail)
    words = ngettext("%(n)s vez", "%(n)s vezes", number) % {"n": number}
    if 0 < len(sign.places) < number:
        return _("%(times)s, mostradas as primeiras") % {"times": words}
    return words
