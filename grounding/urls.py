from __future__ import annotations

from django.urls import path

from grounding.views import documents, index, lab, quarantine, receipts, sources
from grounding.views import knowledge as views

app_name = "grounding"
urlpatterns = [
    path("", views.index, name="index"),
    path("enviar/", views.upload, name="upload"),
    path("tentar/", views.retry, name="retry"),
    path("quarentena/", quarantine.waiting, name="quarantine"),
    path("quarentena/<uuid:ref>/", quarantine.quarantined, name="quarantined"),
    path("quarentena/<uuid:ref>/publicar/", quarantine.release, name="release"),
    path("quarentena/<uuid:ref>/recusar/", quarantine.refuse, name="refuse"),
    path("documentos/<uuid:ref>/", views.document, name="document"),
    path("documentos/<uuid:ref>/cuidar/", documents.care, name="care"),
    path("documentos/<uuid:ref>/cuidar/dados/", documents.describe, name="describe"),
    path("documentos/<uuid:ref>/cuidar/ligar/", documents.link, name="link"),
    path("documentos/<uuid:ref>/cuidar/desligar/", documents.unlink, name="unlink"),
    path("documentos/<uuid:ref>/cuidar/retirar/", documents.retire, name="retire"),
    path("documentos/<uuid:ref>/cuidar/manter/", documents.keep, name="keep"),
    path("documentos/<uuid:ref>/cuidar/apagar/", documents.delete, name="delete"),
    path("fontes/", sources.index, name="sources"),
    path("fontes/incluir/", sources.add, name="source_add"),
    path("fontes/ler/", sources.run_now, name="source_run"),
    path("fontes/desligar/", sources.pause, name="source_pause"),
    path("fontes/ligar/", sources.resume, name="source_resume"),
    path("fontes/retirar/", sources.remove, name="source_remove"),
    path("padroes/", documents.defaults, name="defaults"),
    path("padroes/gravar/", documents.set_defaults, name="set_defaults"),
    path("indice/", index.health, name="index_health"),
    path("indice/recorte/", index.cut, name="index_cut"),
    path("indice/medir/", index.measure, name="index_measure"),
    path("bancada/", lab.index, name="lab"),
    path("bancada/perguntar/", lab.ask, name="lab_ask"),
    path("bancada/medidas/", lab.measures, name="lab_measures"),
    path("bancada/medidas/fusao/", lab.choose, name="lab_choose"),
    path("bancada/<uuid:ref>/", lab.question, name="lab_question"),
    path("bancada/<uuid:ref>/rotular/", lab.label, name="lab_label"),
    path("bancada/<uuid:ref>/descartar/", lab.drop, name="lab_drop"),
    path("consultas/<uuid:ref>/", receipts.receipt, name="receipt"),
]
