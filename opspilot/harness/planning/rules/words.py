"""The small words around a command, in Portuguese and in English, without case and accents."""

from __future__ import annotations

from typing import Final


def those(text: str) -> frozenset[str]:
    return frozenset(text.split())


def pairs(text: str) -> frozenset[tuple[str, str]]:
    """Two words each, between commas."""
    return frozenset((first, second) for first, second in map(str.split, text.split(",")))


# --- Before a verb -------------------------------------------------------------------------------

NEGATIONS: Final = those("nao nunca jamais n dont never sem without evite evitem avoid")
# `não esqueça de reiniciar` and `não deixe de reiniciar` ask for it.
TAKE_BACK: Final = those("esqueca esquece esquecam deixe deixa deixem forget")
# Said before a command without changing it.
OPENING: Final = those(
    """alguem someone anyone oi ola bom boa dia tarde noite pessoal galera time equipe gente amigo
    amiga hi hello hey team good morning afternoon evening folks all everyone por favor pf pfv pfvr
    porfavor gentileza please pls plz kindly just entao then agora now ja ai aqui urgente urgent
    urgentemente hoje today tambem also so apenas only ok okay certo beleza blz obrigado obrigada
    valeu thanks thank me lhe nos imediatamente immediately asap logo rapidamente depois mais uma vez
    again novamente de novo voce vc vcs voces u caro cara prezado prezada prezados prezadas senhores
    colegas opa e and mas but ah primeiro first second finally"""
)
OWN: Final = those("eu nos i we gente ive weve")
OTHERS: Final = those("they he she eles ele ela elas")
# They want it; asked as a question, they want to know whether.
WISHES: Final = those(
    """preciso precisamos quero queremos queria queriamos gostaria gostariamos necessito necessitamos
    desejo desejamos solicito solicitamos peco pedimos favor precisa precisam need want wanna require
    needs must id wed tente tenta tentem try lets vamos bora request requesting requisito demando
    manda mande mandem necessario"""
)
WISH_PAIRS: Final = pairs(
    """tem que, temos que, tenho que, tem de, would like, have to, has to, id like, wed like, go ahead,
    e preciso, eh preciso, eh pra, eh para, e necessario, eh necessario, faz favor, faca favor, let us, make sure,
    be sure"""
)
# Between a wish and its verb.
LINKS: Final = OPENING | those(
    """que de to you someone somebody alguem o a os as um uma an the it se ser be that for have get
    algum alguma ter pra para p/ q seja sejam fosse da dos das"""
)
# Of the one who is spoken to, these ask for it, also as a question.
REQUESTS: Final = those(
    "pode podes podem poderia poderiam podia consegue consegues conseguem conseguiria daria"
)
MODALS: Final = those("can could would will")
ADDRESSED: Final = those("you u someone somebody anyone anybody ya")
# Asked is whether it can be done.
FEASIBLE: Final = pairs("tem como, da pra, da para, seria possivel")
# Somebody else's wish, told.
TELLING: Final = those(
    """pediu pediram mandou mandaram falou falaram disse disseram solicitou solicitaram asked told said
    requested wants quer querem"""
)

# --- Questions, courtesy, conditions -------------------------------------------------------------

# A sentence that begins with one of these wants to know.
ASKING: Final = those(
    """como qual quais quando porque pq quem onde quanto quanta quantos quantas cade sera posso podemos
    devo devemos deveria deveriamos how what why when which who whom where whose whether may should is
    are am does did has have was were can could would will whats hows wheres whys qq oq duvida
    question"""
)
ASKING_PAIRS: Final = pairs(
    """por que, o que, em que, de que, sera que, vale a, e possivel, eh possivel, e seguro, eh seguro,
    tem algum, tem alguma, existe algum, existe alguma, ha algum, ha alguma, not sure"""
)
# Anywhere before a verb, the verb is what is asked about.
ABOUT: Final = those(
    "como how why what whether which qual quais porque onde where ajuda help duvida"
)
POLITE: Final = those("favor gentileza pf pfv pfvr please pls plz kindly obrigado obrigada")
POLITE_PAIRS: Final = pairs("pra mim, para mim, p/ mim, pra gente, for me, for us")
CONDITIONS: Final = those("se if caso unless quando when once")
CONDITION_PAIRS: Final = pairs(
    """assim que, logo que, depois que, as soon, only if, menos que, desde que, in case, provided that,
    sempre que"""
)
# `se possível`, `quando der`, `when you can`: courtesy and no condition.
AT_LEISURE: Final = those(
    "possivel der puder puderem puderes possible can conseguir convenient poder could"
)
CAUSES: Final = those("porque pq pois because since due devido which who visto dado")

# Behind a word that may be a thing, these say that it is a verb.
COUNTED: Final = those(
    """two three four five some more new it all every both one dois duas tres me
    six seven eight nine ten eleven twelve dozen quatro cinco seis sete oito nove dez onze doze"""
)

# --- Around and inside a clause ------------------------------------------------------------------

JOINS: Final = those("e and entao then ou or depois mas but")
BREAKS: Final = those(", ; : - ( ) \u2013 \u2014 * \u2022 /")
# A verb with one of these right behind is the subject of a statement.
STATES: Final = those(
    """is are was were isnt wasnt has have had hasnt failed fails failing fail keeps kept does did didnt
    doesnt wont cannot cant broke crashed stuck down shows showing missing denied loop loops took takes
    happened worked works helped never falhou falha falham falhando caiu cai caindo parou travou deu
    esta ta estao tao eh foi fica ficou nao nunca demorou demora demorando quebrou terminou acabou
    resolveu resolve ajudou funciona funcionou aparece retorna retornou apresentou apresenta levou leva
    era eram foram teve continua voltou sozinho sozinha sempre toda itself ontem yesterday adiantou
    adianta concluido concluida pendente erro erros error errors"""
)
UP: Final = those(
    "rodando running up ativo ativa active ar online pe alive funcionando respondendo"
)
RUNBOOKS: Final = those(
    """runbook runbooks procedimento procedimentos procedure procedures playbook pop manual roteiro
    documentacao documentation"""
)
FOLLOWING: Final = those(
    """conforme seguindo segundo acordo siga segue seguir per following follow according consulte
    consultando olhe olha veja leia ver"""
)
# `este servidor`, `isso`, `a fila`: not the name of one.
GENERIC: Final = those(
    """servidor servidores server servers maquina maquinas host hosts vm vms node nodes instancia
    instance tudo isso isto aquilo ele ela eles elas it that this them coisa sistema system aplicacao
    aplicacoes application app fila filas queue banco database rede network todos todas all every ambos
    both qualquer any geral la ali aqui there here machine machines box ambiente environment producao
    production prod processo process job rotina cluster site ultimo ultima versao version mesmo mesma
    same outro outra other one nele nela everything"""
)
MACHINES: Final = those(
    "servidor servidores server servers maquina maquinas host hosts vm vms nodes machine machines boxes"
)
ALL: Final = those("todos todas tudo all every each qualquer any ambos both cada geral")
ISSUES: Final = those(
    "issue issues chamado chamados ticket tickets tiquete incidente incident bug ocorrencia card"
)
# Not this one.
APART: Final = NEGATIONS | those(
    "not menos exceto except leave leaving deixa deixe fora alone skip touch mexer mexa poupe"
)
OR: Final = those("ou or")
TEMPLATES: Final = those("template templates tarefa tarefas task tasks playbook automacao")
SERVICES: Final = those("servico servicos service services daemon svc")
MAINTENANCE: Final = those("manutencao maintenance")
OF: Final = those("de do da dos das of")
PLACES: Final = those("no na em on in at nos nas to into onto para pra pro p/ from ao")
ARTICLES: Final = those(
    """o a os as um uma uns umas the an this that esse essa este esta aquele aquela meu minha nosso nossa
    my our seu sua meus minhas nossos nossas seus suas esses essas estes estas these those"""
)
CALLED: Final = those("chamado chamada called named nome name denominado")
FILLERS: Final = those(
    """por favor pf pfv please pls agora now ja hoje today urgente urgent asap imediatamente gentileza
    obrigado obrigada thanks tambem also pra mim me gente aqui ai la novamente again noite manha tarde
    tonight mode modo com with for usando using only so apenas"""
)
