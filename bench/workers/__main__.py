"""Serves the requests of `bench.sampling.Worker`."""

from __future__ import annotations

import importlib
import json
import os
import sys
import traceback

from ..sampling import Missing


def main() -> None:
    """Answers until standard input ends."""
    # What a contender prints must not get between the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    module = importlib.import_module(f"bench.workers.{sys.argv[1]}")
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = {"result": getattr(module, request.pop("work"))(**request)}
        except (Missing, ModuleNotFoundError) as error:
            answer = {"missing": str(error)}
        except Exception:
            answer = {"error": traceback.format_exc()[-4000:]}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
