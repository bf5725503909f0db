# RUN: %pytest %s
"""The ground floor against a judge that lists everything, on copies drawn by chance.

Two runs of test/agreement side by side, compiled here with a C++ compiler (`CXX`, or `c++`) and
nothing else. More copies: `TCGEN05_COPIES=10000000`, another `TCGEN05_SEED`.
"""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
COPIES = int(os.environ.get("TCGEN05_COPIES", "200000"))

sys.path.insert(0, str(ROOT / "test" / "agreement"))
from program import build  # noqa: E402


def test_the_verifier_agrees_with_the_judge(tmp_path: pathlib.Path) -> None:
    program = build(tmp_path, os.environ.get("CXX", "c++"), ["-O1"])
    seed = int(os.environ.get("TCGEN05_SEED", "1"))
    share = COPIES // 2
    runs = [
        subprocess.Popen([program, str(share), str(s)], stdout=subprocess.PIPE, text=True)
        for s in (seed, seed + 1)
    ]
    for run in runs:
        output = run.communicate()[0]
        print(output)
        assert run.returncode == 0, output
        last = output.splitlines()[-1]
        assert last == f"{share} copies, 0 false accepts, 0 false rejects, 0 disagreements"
