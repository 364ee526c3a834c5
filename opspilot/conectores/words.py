"""What each finding means and what to do about it. The facts fill the sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Words = tuple[str | Promise, str | Promise]
"""What it means, and what to do."""

NAMES: dict[str, str | Promise] = {
    "alcance": _("Alcance"),
    "versao": _("Versão"),
    "relogio": _("Relógio"),
    "token_ativo": _("Token ativo"),
    "token_validade": _("Validade do token"),
    "token_escopos": _("Escopos do token"),
    "usuario_do_token": _("Usuário do token"),
    "projeto": _("Projeto"),
    "projeto_arquivado": _("Projeto arquivado"),
    "projeto_issues": _("Issues do projeto"),
    "etiquetas": _("Etiquetas"),
    "responsaveis": _("Responsáveis"),
    "papel": _("Papel no projeto"),
    "template": _("Template"),
    "template_igual_ao_da_politica": _("Template igual ao da política"),
    "hosts": _("Hosts"),
}

SAID: dict[tuple[str, str], Words] = {
    ("alcance", "ok"): (_("O endereço configurado responde."), ""),
    ("alcance", "falha"): (
        _("O endereço configurado não responde."),
        _("Confira se o sistema está no ar e se a rede e o certificado deixam chegar a ele."),
    ),
    ("versao", "ok"): (_("Versão %(versao)s."), ""),
    ("versao", "falha"): (
        _("A versão é %(versao)s. Antes da 16.7 um projeto movido responde por outro endereço."),
        _("Atualize o GitLab antes de aprovar pedidos que chegam a ele."),
    ),
    ("relogio", "ok"): (_("Diferença de %(diferenca_segundos)s s para o relógio daqui."), ""),
    ("relogio", "atencao"): (
        _("A resposta não traz a hora, então os relógios não foram comparados."),
        _("Peça a quem cuida do proxy que deixe passar o cabeçalho Date."),
    ),
    ("relogio", "falha"): (
        _("Os relógios diferem em %(diferenca_segundos)s s. Buscas por período podem falhar."),
        _("Acerte a hora dos dois servidores por NTP."),
    ),
    ("token_ativo", "ok"): (_("O token está ativo."), ""),
    ("token_ativo", "falha"): (
        _("O token foi revogado ou está inativo."),
        _("Emita outro token para o usuário do console e troque OPSPILOT_GITLAB_TOKEN."),
    ),
    ("token_validade", "ok"): (_("Vence em %(vence_em)s."), ""),
    ("token_validade", "atencao"): (
        _("O token vence em %(vence_em)s; dias até lá: %(dias)s."),
        _("Emita o próximo antes dessa data e troque OPSPILOT_GITLAB_TOKEN."),
    ),
    ("token_validade", "falha"): (
        _("O token venceu em %(vence_em)s."),
        _("Emita outro e troque OPSPILOT_GITLAB_TOKEN."),
    ),
    ("token_escopos", "ok"): (_("O token tem só o escopo api."), ""),
    ("token_escopos", "atencao"): (
        _("O token pode mais do que o console usa: %(escopos)s."),
        _("Troque por um que tenha só o escopo api."),
    ),
    ("token_escopos", "falha"): (
        _("Falta ao token o escopo api. Ele tem: %(escopos)s."),
        _("Emita um token com o escopo api e troque OPSPILOT_GITLAB_TOKEN."),
    ),
    ("usuario_do_token", "ok"): (_("O token é do usuário %(usuario)s."), ""),
    ("usuario_do_token", "atencao"): (
        _("O usuário %(nome)s é administrador: o token pode mais do que o console usa."),
        _("Use um usuário só do console, sem administração."),
    ),
    ("usuario_do_token", "falha"): (
        _("O token é do usuário %(usuario)s, e o configurado é %(configurado)s."),
        _("Troque o token por um do usuário do console."),
    ),
    ("projeto", "ok"): (_("%(caminho)s é o projeto %(projeto)s, como na política."), ""),
    ("projeto", "falha"): (
        _("Na política o projeto %(projeto)s é %(caminho)s; hoje ele é %(caminho_atual)s."),
        _("Confirme se o projeto foi movido e ponha o caminho novo em um rascunho da política."),
    ),
    ("projeto_arquivado", "ok"): (_("%(caminho)s não está arquivado."), ""),
    ("projeto_arquivado", "falha"): (
        _("%(caminho)s está arquivado: não aceita issues."),
        _("Desarquive no GitLab ou retire o projeto da política."),
    ),
    ("projeto_issues", "ok"): (_("As issues de %(caminho)s estão ligadas."), ""),
    ("projeto_issues", "atencao"): (
        _("O GitLab não diz se as issues de %(caminho)s estão ligadas."),
        _("Confira no GitLab, nas configurações do projeto."),
    ),
    ("projeto_issues", "falha"): (
        _("As issues de %(caminho)s estão desligadas."),
        _("Ligue as issues no GitLab ou retire o projeto da política."),
    ),
    ("etiquetas", "ok"): (_("Todas as etiquetas da política existem em %(caminho)s."), ""),
    ("etiquetas", "falha"): (
        _("Não existem em %(caminho)s: %(faltam)s. O GitLab as criaria ou ignoraria sem avisar."),
        _("Crie as etiquetas no GitLab ou tire-as da política."),
    ),
    ("responsaveis", "ok"): (_("Todos os responsáveis da política podem receber issues."), ""),
    ("responsaveis", "falha"): (
        _("Não são membros ativos de %(caminho)s: usuários %(faltam)s. Sumiriam sem aviso."),
        _("Dê a eles acesso ao projeto no GitLab ou tire-os da política."),
    ),
    ("papel", "ok"): (_("No projeto %(projeto)s o papel é %(papel)s, o menor que basta."), ""),
    ("papel", "atencao"): (
        _("No projeto %(projeto)s o papel é %(papel)s: pode mais do que o console usa."),
        _("Reduza o papel do usuário do console a %(esperado)s."),
    ),
    ("papel", "falha"): (
        _("No projeto %(projeto)s o papel é “%(papel)s”: o console não pode iniciar tarefas."),
        _("Dê ao usuário do console o papel %(esperado)s nesse projeto."),
    ),
    ("template", "ok"): (_("O template %(template)s aceita limite de hosts."), ""),
    ("template", "falha"): (
        _("O template %(template)s não pode ser executado com limite: %(faltas)s."),
        _("Corrija o template no Semaphore ou tire-o da política."),
    ),
    ("template_igual_ao_da_politica", "ok"): (
        _("O template %(template)s é o que a política registrou."),
        "",
    ),
    ("template_igual_ao_da_politica", "falha"): (
        _("O template %(template)s mudou depois que a política o registrou."),
        _(
            "Leia a mudança no Semaphore e, se estiver certa, registre-a em um rascunho da política."
        ),
    ),
    ("hosts", "ok"): (_("Todos os hosts da política estão no inventário."), ""),
    ("hosts", "atencao"): (
        _("O inventário do template %(template)s não pode ser visto daqui."),
        _("Confira os hosts no Semaphore. A lista da política continua a decidir."),
    ),
    ("hosts", "falha"): (
        _("Não estão no inventário do template %(template)s: %(faltam)s."),
        _("Ponha os hosts no inventário ou tire-os da política."),
    ),
}

# Of a question that got no answer, whatever it was about.
REASONS: dict[str, Words] = {
    "sem_resposta": (
        _("Não houve resposta que se possa usar."),
        _("Confira se o sistema está no ar e se a rede e o certificado deixam chegar a ele."),
    ),
    "adiado": (
        _("O console está deixando este sistema descansar e não perguntou."),
        _("Nada a fazer: a pergunta é feita de novo sozinha."),
    ),
    "nao_permitido": (
        _("A lista de saída deste console não permite este endereço."),
        _("Confira o endereço configurado e OPSPILOT_EGRESS_PRIVATE."),
    ),
    "sem_token": (
        _("O sistema não aceitou o token (resposta %(codigo)s)."),
        _("Confira se o token é o certo, está ativo e é de um usuário ativo."),
    ),
    "sem_acesso": (
        _("O usuário do token não tem acesso (resposta %(codigo)s)."),
        _("Dê ao usuário do console o acesso que falta, ou confira o número na política."),
    ),
    "recusado": (
        _("O sistema recusou a pergunta (resposta %(codigo)s)."),
        _("Leia o registro do sistema remoto e confira a versão dele."),
    ),
}
_REFUSED = {0: "nao_permitido", 401: "sem_token", 403: "sem_acesso", 404: "sem_acesso"}

FAULTS: dict[str, str | Promise] = {
    "app_nao_e_ansible": _("não é um template de Ansible"),
    "limite_nao_permitido": _("não permite escolher o limite ao executar"),
    "argumentos_com_limite": _("os argumentos dele já trazem um limite"),
}


def of(check: str, state: str, facts: Mapping[str, Any]) -> tuple[str, str]:
    """Both sentences, in the language active now. A check this code does not know has its code."""
    meaning, act = _words(check, state, facts)
    return _filled(meaning, facts), _filled(act, facts)


def _words(check: str, state: str, facts: Mapping[str, Any]) -> Words:
    if check == "token_validade" and facts.get("vence_em") == "":
        return _("O token não tem data de validade."), ""
    motive = str(facts.get("motivo", ""))
    if motive == "recusado":
        motive = _REFUSED.get(facts.get("codigo", -1), motive)
    return REASONS.get(motive) or SAID.get((check, state)) or (check, "")


def _filled(sentence: str | Promise, facts: Mapping[str, Any]) -> str:
    try:
        return str(sentence) % {name: _text(value) for name, value in facts.items()}
    except (KeyError, ValueError):
        return str(sentence)  # a fact that an older run did not note


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(str(FAULTS.get(str(item), item)) for item in value)
    return str(value)
