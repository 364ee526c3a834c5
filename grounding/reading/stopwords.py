"""Function words of the two languages, as people type them: with and without accents.

Left out on purpose: negations, which turn an instruction round, and English particles that carry
meaning in operations (up, down, on, off, out, over).
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


PORTUGUESE = _words(
    """
    a à ao aos as às o os um uma uns umas de da das do dos em na nas no nos num numa nuns numas
    por pela pelas pelo pelos per para pra pras pro pros com e é ou mas que q se
    eu tu ele ela eles elas nós você voce vocês voces vc vcs gente me te lhe lhes
    meu minha meus minhas seu sua seus suas nosso nossa dele dela deles delas
    este esta estes estas esse essa esses essas isto isso aquele aquela aqueles aquelas aquilo
    qual quais quando quem onde como porque porquê quê cujo
    já ja só so também tambem até ate mais muito muita muitos muitas pouco ainda então entao aí ai
    aqui ali lá mesmo mesma todo toda todos todas tudo cada outro outra
    ser é era eram foi foram fosse for são sao sou está estão estao estava estar estou tá
    tem têm tinha ter tenho há ha havia vai vão vou ir
    sobre entre depois antes desde durante
    preciso quero queria posso pode podem favor
    """
)
ENGLISH = _words(
    """
    a an the and or but if then than so because as until while of at by for with about against
    between into through during before after to from in
    i me my we our us you your he him his she her it its they them their
    this that these those here there what which who whom when where why how
    am is are was were be been being have has had having do does did doing
    will would should could can may might must shall
    just too very some any each few more most other such own same all both only again
    d ll m re s t ve please want need
    """
)
NEGATIONS = _words("não nao nunca jamais sem nem not never without nor neither cannot")
DROPPED = (PORTUGUESE | ENGLISH) - NEGATIONS
