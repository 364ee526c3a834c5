"""`/politicas/permissoes/`: what agents may have approved beforehand, within which limits."""
