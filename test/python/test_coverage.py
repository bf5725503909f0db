# RUN: %pytest %s
"""Every line, function and branch of the ground floor is reached by the agreement program."""

from __future__ import annotations

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def test_the_ground_floor_is_covered(tmp_path: pathlib.Path) -> None:
    script = ROOT / "test" / "agreement" / "coverage.py"
    command = [sys.executable, str(script), f"--build={tmp_path}"]
    run = subprocess.run(command, capture_output=True, text=True)
    print(run.stdout)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "lines: 100.0%" in run.stdout
    assert "functions: 100.0%" in run.stdout
    assert "branches: 100.0%" in run.stdout
