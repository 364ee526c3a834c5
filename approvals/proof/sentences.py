"""What each line of a proof says, by its code."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

SENTENCES: dict[str, Promise] = {
    "hash_same": _("O hash recalculado agora é o da proposta: %(hash)s"),
    "hash_differs": _(
        "O conteúdo guardado não é o proposto: o hash era %(hash)s e agora é %(now)s"
    ),
    "belongs": _("Pedido por %(who)s."),
    "belongs_elsewhere": _("O conteúdo diz outra coisa que a proposta em: %(fields)s."),
    "not_decided": _("Ninguém decidiu."),
    "shown_same": _("Decisões dadas para este hash: %(count)s."),
    "shown_differs": _("Decidiu para outro hash: %(who)s."),
    "not_approved": _("Não foi aprovada."),
    "done_unapproved": _("Não foi aprovada, e mesmo assim algo foi feito."),
    "quorum_met": _("Votos de pessoas diferentes, no prazo: %(votes)s de %(needed)s."),
    "quorum_missing": _("Só %(votes)s de %(needed)s votos são deste conteúdo e do prazo."),
    "others_decided": _("Aprovada por %(who)s."),
    "own_decision": _("Aprovou quem pediu, ou quem responde pelo agente: %(who)s."),
    "no_person": _("Nenhuma pessoa aprovou: foi uma regra ou permissão, ou não houve aprovação."),
    "roles_held": _("O papel pedido é %(role)s."),
    "role_not_held": _("Sem o papel %(role)s naquele momento: %(who)s."),
    "roles_forgotten": _("Os papéis daquele momento não são conhecidos: %(who)s."),
    "policy_same": _("A versão %(version)s dá a esta ação o mesmo resultado da proposta."),
    "policy_moved": _("A versão %(version)s dá a esta ação outro resultado."),
    "policy_altered": _("O texto guardado da versão %(version)s não é o que foi ativado."),
    "policy_other": _("Estava em vigor a versão %(version)s, e a proposta nomeia outra."),
    "policy_unsure": _("Não se sabe o que a versão %(version)s fazia desta ação naquele instante."),
    "policy_not_there": _("A versão daquele momento não foi encontrada."),
    "not_reached": _("Não chegou a acontecer."),
    "by_an_agent": _("Quem executa é um agente da empresa: nada saiu deste console."),
    "marker_same": _("Recalculado agora: %(marker)s"),
    "marker_differs": _("O marcador gravado, %(marker)s, não é o desta rodada e deste conteúdo."),
    "in_time": _("Primeiro pedido em %(at)s, depois de uma espera de %(seconds)s s."),
    "too_early": _("Primeiro pedido em %(at)s, antes do fim da espera ou da hora escolhida."),
    "too_late": _("Um pedido saiu depois do prazo, que era %(until)s."),
    "hold_unknown": _("Primeiro pedido em %(at)s; a espera pedida não é conhecida."),
    "answered": _("Pedidos com registro e resposta: %(count)s."),
    "not_answered": _("A resposta de um pedido ainda não foi gravada: tentativa %(numbers)s."),
    "answer_missing": _("Falta a resposta de um pedido que já terminou: tentativa %(numbers)s."),
    "attempt_missing": _("Falta o registro de um pedido; há os de número %(numbers)s."),
    "other_claim": _("Pedido e resposta não são da mesma tomada: tentativa %(numbers)s."),
    "body_same": _("O corpo refeito agora tem o hash de cada pedido: %(hash)s"),
    "body_differs": _("O que saiu não é o conteúdo guardado com o marcador, cujo hash é %(hash)s"),
    "body_unreadable": _("O conteúdo guardado não forma um pedido, e um saiu."),
    "sent_once": _("Pedidos: %(count)s. Buscas: %(looked)s."),
    "sent_again": _(
        "Pedidos: %(count)s. Buscas: %(looked)s. O reenvio teve as buscas ou a aprovação que pede."
    ),
    "sent_unsearched": _(
        "Saiu de novo sem duas buscas nem outra aprovação: tentativa %(numbers)s."
    ),
    "done": _("O destino tem o número %(remote)s."),
    "done_unwitnessed": _(
        "Consta como feito com o número %(remote)s, e nenhuma resposta ou busca gravada diz isso: "
        "confira no destino."
    ),
    "done_unseen": _("Consta como feito, e nenhuma resposta do destino diz isso."),
    "effect_differs": _("O destino não tem o que foi aprovado. %(reason)s"),
    "nothing_done": _("Nada foi feito: %(state)s. %(reason)s"),
    "outcome_unknown": _("Ainda não se sabe se foi feito: %(state)s. %(reason)s"),
    "sent_by_another": _("O efeito é mais um pedido da primeira proposta; veja a prova dela."),
    "taken_back": _("%(who)s retirou a aprovação antes de um agente a usar."),
    "used_otherwise": _("A aprovação foi usada por outro agente ou para outro hash: %(who)s."),
    "agents_word": _(
        "%(who)s usou a aprovação. Que o efeito houve é a palavra do agente: %(report)s"
    ),
    "rows_same": _("Linhas cujo hash foi refeito e confere: %(count)s."),
    "rows_cut": _(
        "A prova traz só as %(count)s linhas mais antigas, e elas conferem; a rodada tem mais."
    ),
    "row_differs": _("Não são mais as linhas gravadas: %(rows)s."),
    "row_foreign": _("Linhas de outra rodada ou empresa: %(rows)s."),
    "no_rows": _("A trilha não tem nenhuma linha desta rodada."),
    "rows_expired": _("Linhas destes meses saíram pelo prazo de guarda: %(months)s."),
    "told": _("A proposta, cada decisão e o efeito estão lá, com este hash."),
    "not_told": _("A trilha não tem a linha de: %(what)s."),
    "sealed": _("Linhas sob selos assinados: %(rows)s. Selos: %(windows)s."),
    "not_sealed": _(
        "Ainda não seladas: %(rows)s de %(of)s linhas. Os selos vão até %(until)s; cada hora é "
        "selada quando termina."
    ),
    "nothing_sealed": _("A trilha ainda não tem selo nenhum."),
    "seal_differs": _("As linhas e o selo desta janela não combinam: %(window)s."),
    "seal_missing": _("Linhas mais velhas que o último selo e fora de qualquer selo: %(rows)s."),
    "seal_other_key": _("As linhas estão sob selos de outra chave: %(key)s."),
    "seal_forged": _("O selo desta janela não tem a assinatura da chave dele: %(window)s."),
}
