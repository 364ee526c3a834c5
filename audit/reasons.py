"""The codes of what failed or waits, as the pages of proposals and of the trail say them."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from opspilot.errors import InvalidInputError, OpsPilotError

_WORDS: dict[str, Promise] = {
    # Of a file that could not be read.
    "empty": gettext_lazy("arquivo vazio"),
    "too_large": gettext_lazy("arquivo grande demais"),
    "long_name": gettext_lazy("nome de arquivo longo demais"),
    "binary": gettext_lazy("arquivo que não é texto"),
    "too_complex": gettext_lazy("texto complexo demais para ler"),
    "not_text": gettext_lazy("codificação desconhecida"),
    "unsupported": gettext_lazy("formato que não é lido"),
    "damaged": gettext_lazy("arquivo danificado"),
    "encrypted": gettext_lazy("arquivo com senha"),
    "no_text": gettext_lazy("arquivo só com imagens, sem texto"),
    "too_many_pages": gettext_lazy("arquivo com páginas demais"),
    "too_long": gettext_lazy("texto longo demais"),
    "inflated": gettext_lazy("arquivo que cresce demais ao abrir"),
    "entities": gettext_lazy("arquivo do Office com declarações que ele não deveria ter"),
    "huge_image": gettext_lazy("arquivo com imagem grande demais"),
    "nested_zip": gettext_lazy("zip dentro de outro zip"),
    "no_files": gettext_lazy("zip sem arquivo que se leia"),
    "review_refused": gettext_lazy("recusado na revisão da quarentena"),
    "deleted": gettext_lazy("o documento deste nome foi apagado"),
    "interrupted": gettext_lazy("o processamento parou três vezes"),
    # Of a folder or repository that could not be read.
    "desligada": gettext_lazy("a instalação não tem pasta de fontes"),
    "sem_git": gettext_lazy("o programa git não está instalado no servidor"),
    "fora_da_raiz": gettext_lazy("o caminho leva para fora da pasta de fontes da empresa"),
    "nao_existe": gettext_lazy("a pasta não existe ou não pode ser lida"),
    "nao_e_repositorio": gettext_lazy("a pasta não é um repositório Git"),
    "sem_ramo": gettext_lazy("o repositório não tem este ramo"),
    "arquivos_demais": gettext_lazy("a fonte tem arquivos demais"),
    "vazia": gettext_lazy("a fonte está vazia e antes não estava"),
    "git_falhou": gettext_lazy("o git não conseguiu ler o repositório"),
    # Of a question.
    "interrompida": gettext_lazy("o trabalho parou três vezes"),
    "passos_esgotados": gettext_lazy("os passos acabaram antes do fim"),
    "prazo_da_rodada": gettext_lazy("o tempo da rodada acabou"),
    "plano_ilegivel": gettext_lazy("o que foi planejado não pôde ser lido"),
    "busca_indisponivel": gettext_lazy("a busca não respondeu"),
    "busca_recusada": gettext_lazy("a busca não aceitou o texto"),
    "fora_do_console": gettext_lazy("nada que este console faça"),
    "sem_modelo": gettext_lazy("nenhum modelo está configurado"),
    "sem_orcamento": gettext_lazy("um admin ainda não definiu o orçamento"),
    "orcamento_esgotado": gettext_lazy("o orçamento não cobre mais uma consulta"),
    "sem_preco": gettext_lazy("o preço do modelo não está registrado"),
    "modelo_em_pausa": gettext_lazy("o modelo falhou várias vezes e descansa um pouco"),
    "modelo_ocupado": gettext_lazy("o modelo está ocupado"),
    "modelo_inacessivel": gettext_lazy("não houve conexão com o modelo"),
    "modelo_nao_permitido": gettext_lazy("o endereço do modelo não está na lista de saídas"),
    "modelo_recusou": gettext_lazy("o modelo não aceitou a consulta"),
    "modelo_interrompido": gettext_lazy("a resposta do modelo parou no meio"),
    "modelo_sem_resposta": gettext_lazy("o modelo não respondeu a tempo"),
    # Of what a model planned.
    "refusal": gettext_lazy("o modelo não quis planejar"),
    "truncated": gettext_lazy("o plano foi cortado antes do fim"),
    "other_model": gettext_lazy("respondeu outro modelo, não o que foi pedido"),
    "not_the_shape": gettext_lazy("o plano não veio no formato pedido"),
    "hidden_signs": gettext_lazy("o plano traz sinais invisíveis"),
    "asks_for_nothing": gettext_lazy("o plano pergunta sem dizer o que falta"),
    "asks_for_the_unknown": gettext_lazy("o plano pede algo que nenhum formulário tem"),
    # Of an execution.
    "aprovacao_ausente": gettext_lazy("a aprovação não confere mais"),
    "conteudo_mudou": gettext_lazy("o conteúdo guardado não é o aprovado"),
    "acao_sem_executor": gettext_lazy("este console ainda não executa este tipo de ação"),
    "politica_alterada": gettext_lazy("o texto guardado da política não é o que foi ativado"),
    "politica_mudou": gettext_lazy("a política em vigor dá outro resultado"),
    "prazo_de_execucao_passou": gettext_lazy("o prazo para executar passou"),
    "destino_mudou": gettext_lazy("o endereço do destino mudou"),
    "corpo_invalido": gettext_lazy("o pedido não tem a forma que pode sair; nada foi enviado"),
    "texto_ativo": gettext_lazy("o texto contém um comando que o destino executaria"),
    "link_fora_da_politica": gettext_lazy("o texto tem um link que a política não permite"),
    "projeto_mudou_de_endereco": gettext_lazy("o projeto mudou de endereço no destino"),
    "destino_indisponivel": gettext_lazy("o destino não respondeu; nada foi enviado"),
    "destino_ocupado": gettext_lazy("o destino pediu para esperar; nada foi feito"),
    "destino_sem_acesso": gettext_lazy(
        "o destino não deixa ler o projeto com a credencial de agora; nada foi enviado"
    ),
    "destino_indisponivel_esgotado": gettext_lazy(
        "o destino não respondeu nas 5 tentativas; nada foi enviado"
    ),
    "destino_ocupado_esgotado": gettext_lazy(
        "o destino pediu para esperar nas 5 tentativas; nada foi feito"
    ),
    "resposta_perdida": gettext_lazy("o pedido saiu e a resposta não voltou"),
    "trabalho_interrompido": gettext_lazy(
        "o envio foi interrompido antes de a resposta ser gravada"
    ),
    "parada_de_emergencia": gettext_lazy("uma parada de emergência está em vigor"),
    "fora_da_janela": gettext_lazy("a política não deixa começar a esta hora"),
    "congelamento": gettext_lazy("a política tem um congelamento em vigor"),
    "ainda_nao_e_hora": gettext_lazy("ainda não é a hora escolhida por quem pediu"),
    "destino_em_pausa": gettext_lazy("o destino vem falhando e é deixado em paz por um tempo"),
    "falha_interna": gettext_lazy("o console falhou antes de começar e tenta de novo"),
    "sem_vaga": gettext_lazy("há pedidos demais para este destino ao mesmo tempo"),
    "reenvio_automatico": gettext_lazy("duas buscas não acharam nada; o mesmo pedido sai de novo"),
    "reenvio_autorizado": gettext_lazy("outra pessoa aprovou um reenvio"),
    "reenvio_retirado": gettext_lazy("quem aprovou o reenvio o retirou antes do envio"),
    "ja_revertida": gettext_lazy("o que ela desfaz já foi desfeito ou não está mais concluído"),
    "execucao_mudou": gettext_lazy("a execução a que se refere não está mais como na proposta"),
    "prova_nao_confere": gettext_lazy("a issue apontada não é desta proposta, como aprovada"),
    "prova_nao_achada": gettext_lazy("a issue apontada não existe ou não pode ser lida"),
    "prova_sem_resposta": gettext_lazy("o destino não respondeu sobre a issue apontada"),
    "nada_achado": gettext_lazy("a última busca não achou a issue"),
    "lista_indisponivel": gettext_lazy("a lista do destino não respondeu à última busca"),
    "sem_marcador": gettext_lazy("há no destino uma issue nossa sem marcador, que pode ser esta"),
    "template_mudou": gettext_lazy("o template mudou no Semaphore depois da proposta"),
    "template_sem_limite": gettext_lazy("o template no Semaphore não respeita mais um host"),
    "host_fora_do_inventario": gettext_lazy("o inventário do template não tem mais o host"),
    "destino_nao_e_um_host": gettext_lazy("o host não está escrito por extenso"),
    "variavel_nao_permitida": gettext_lazy("uma variável não pode ser enviada"),
    "tarefa_sem_fim": gettext_lazy("a tarefa não terminou no prazo"),
    "falhou_em_hosts": gettext_lazy("a tarefa rodou e falhou em pelo menos um host"),
    "falhou_sem_resumo": gettext_lazy("a tarefa falhou e não diz em que hosts rodou"),
    "nada_executado": gettext_lazy("a tarefa terminou sem executar nada em host nenhum"),
    "host_sem_resultado": gettext_lazy("um host aprovado não aparece no resumo"),
    "host_fora_do_aprovado": gettext_lazy("a tarefa rodou num host que ninguém aprovou"),
    "tarefa_parada": gettext_lazy("a tarefa foi parada; parte dela pode ter rodado"),
    "parada_nao_confirmada": gettext_lazy("o pedido de parar a tarefa não teve resposta"),
}


def words(code: str) -> str:
    """A code, or several with commas between; "" where one of them is not known."""
    if code.startswith("destino_recusou_"):
        status = code.rpartition("_")[2]
        return _("o destino recusou com o código %(status)s") % {"status": status}
    if code.startswith("modelo_") and code not in _WORDS:
        # Each has its sentence on the page of the run, which this room does not know.
        return _("a resposta do modelo não pôde ser mostrada")
    codes = code.split(",") if code else []
    known = all(part in _WORDS for part in codes)
    return "; ".join(str(_WORDS[part]) for part in codes) if known else ""


def refusal(code: str) -> str:
    """The heading under which somebody was refused with this code; "" where no error has it."""
    titles = (str(error.title) for error in _errors(OpsPilotError) if error.code == code)
    return next(titles, "")


def is_to_correct(code: str) -> bool:
    """Whether somebody was only asked to correct what they had typed, which nobody was refused."""
    found: list[type[OpsPilotError]] = [InvalidInputError, *_errors(InvalidInputError)]
    return any(error.code == code and error.http_status == 422 for error in found)


def _errors(parent: type[OpsPilotError]) -> Iterator[type[OpsPilotError]]:
    for child in parent.__subclasses__():
        yield child
        yield from _errors(child)
