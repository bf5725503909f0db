"""What the project costs, beside what others cost for the same work, in one run.

    pip install '.[bench]'
    python -m bench                 # everything; some minutes
    python -m bench --quick         # small sizes; under three minutes
    python -m bench python machine  # some of: one upstream threads python machine end
    python -m bench --json out.json

Every row is a ratio: our figure and a rival's, both measured in this run on this machine, in turn
(one of ours, one of the rival's, and again), so that a machine that is busy is busy for both. A
rival that is not installed gives a row that says so. `NOTES.md` says what was tried to make the
rows better, and what it brought.

The parts: `sampling` takes samples, `rows` holds and prints what came out, `texts` writes the
modules, `workers` are processes that hold one contender each, since two copies of LLVM do not live
in one. The sections, by the number of the module that measures them: `one_kernel`, `upstream`,
`threads`, `python_costs`, `machine_code`, `end_to_end`. `side_by_side` measures no time: it records
what each contender says of an illegal copy. `verify_cost` and `check_cost` are programs of their
own: ours alone, against goals.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# The kernels whose code is counted, and the reader of machine code, are those of the tests.
_tests = str(ROOT / "test" / "python")
if _tests not in sys.path:
    sys.path.append(_tests)
