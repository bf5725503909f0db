"""Reads machine code: counts a kernel's instructions, and runs its address arithmetic.

nvdisasm's text is all that is known here; there is no manual of these instructions. `Machine` runs
the few that address arithmetic is made of. What it does not know makes its result unknown, and a
copy whose operands are unknown is an error: nothing is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

WORD = (1 << 32) - 1
MAX_STEPS = 100_000
SHARED_WINDOW = 0x400
"""Where a block's own symbols begin in shared memory: the driver keeps what lies below."""
LINE = re.compile(r"/\*[0-9a-f]{4,}\*/\s+(?:@(\S+)\s+)?([\w.]+)\s*(.*?)\s*;")


class Instruction(NamedTuple):
    """One line of machine code."""

    guard: str
    """`P0`, `!UP1`, or nothing."""
    opcode: str
    operands: tuple[str, ...]


@dataclass(frozen=True)
class Program:
    """A kernel: its instructions without padding, and where labels point."""

    code: tuple[Instruction, ...]
    labels: Mapping[str, int]

    @classmethod
    def parse(cls, text: str) -> Program:
        """Reads what `nvdisasm -c` prints of a cubin with one kernel.

        NOPs are left out; the jump to itself behind the last EXIT counts.
        """
        code: list[Instruction] = []
        labels: dict[str, int] = {}
        for line in text.splitlines():
            if label := re.match(r"(\.L_x_\d+):", line):
                labels[label[1]] = len(code)
            elif match := re.search(
                r"/\*[0-9a-f]{4,}\*/\s+(?:@(\S+)\s+)?([\w.]+)\s*(.*?)\s*;", line
            ):
                guard, opcode, rest = match.groups()
                operands = tuple(x.strip() for x in rest.split(",")) if rest else ()
                if opcode != "NOP":
                    code.append(Instruction(guard or "", opcode, operands))
        if not code:
            raise ValueError("expected a disassembled kernel, but got no instructions")
        return cls(tuple(code), labels)

    def loop(self) -> tuple[Instruction, ...]:
        """The instructions of the one loop with copies in it, its branch included."""
        found = []
        for end, instruction in enumerate(self.code):
            start = self.labels.get(_target(instruction) or "", end + 1)
            body = self.code[start : end + 1]
            if any(is_copy(i) for i in body):
                found.append(body)
        if len(found) != 1:
            raise ValueError(f"expected one loop with copies, but got {len(found)}")
        return found[0]


class Counts(NamedTuple):
    """What a kernel costs. NOPs are not counted."""

    total: int
    copies: int
    r2ur: int
    elects: int
    loops: int
    """ELECT / BRA.U.ANY loops, which issue for one thread after the other."""
    spills: int
    """Local memory, and moves back into uniform registers between two copies of a run."""
    registers: int
    uniform: int

    @classmethod
    def of(cls, code: Sequence[Instruction]) -> Counts:
        """Counts a program's instructions, or a part of them."""
        spills, moved, running = 0, 0, False
        for instruction in code:
            name = instruction.opcode.split(".")[0]
            if is_copy(instruction):
                spills += moved if running else 0
                moved, running = 0, True
            elif name == "R2UR":
                moved += 1
            elif name in ("BRA", "EXIT"):
                running = False
            spills += name in ("LDL", "STL")

        def number(pattern: str) -> int:
            return sum(bool(re.match(pattern, i.opcode)) for i in code)

        def highest(kind: str) -> int:
            text = " ".join(" ".join(i.operands) for i in code)
            return max((int(n) + 1 for n in re.findall(rf"(?<!\w){kind}(\d+)", text)), default=0)

        return cls(
            len(code),
            number("UTCCP"),
            number("R2UR"),
            number("ELECT"),
            number(r"BRA\.U\.ANY"),
            spills,
            highest("R"),
            highest("UR"),
        )


def is_copy(instruction: Instruction) -> bool:
    """Whether an instruction is tcgen05.cp."""
    return instruction.opcode.startswith("UTCCP")


def _target(instruction: Instruction) -> str | None:
    if not instruction.opcode.startswith("BRA") or not instruction.operands:
        return None
    match = re.fullmatch(r"`\((.*)\)", instruction.operands[-1])
    return match[1] if match else None


class Issue(NamedTuple):
    """A copy as the hardware is given it."""

    opcode: str
    """Behind `UTCCP.T.S`: the shape, unless it is 128x256b, and the format."""
    taddr: int
    descriptor: int


class Machine:
    """Runs a program as the elected thread 0 of a block.

    Args:
        tmem: what a load from shared memory gives, the TMEM address.
        rank: rank of the block in its cluster.
        parameters: words of the kernel's parameters by their byte.
    """

    PARAMETERS = 0x380

    def __init__(self, tmem: int, rank: int = 0, parameters: Mapping[int, int] | None = None):
        self.tmem, self.rank, self.parameters = tmem, rank, parameters or {}
        self.registers: dict[str, int | None] = {"RZ": 0, "URZ": 0}
        self.predicates: dict[str, bool | None] = {"PT": True, "UPT": True}
        self.issues: list[Issue] = []

    def run(self, program: Program) -> list[Issue]:
        """Returns the copies that are issued until the thread exits, in order."""
        at = 0
        for _ in range(MAX_STEPS):
            instruction = program.code[at]
            at += 1
            if instruction.guard:
                taken = self.predicate(instruction.guard)
                if taken is None and re.match("BRA|EXIT|UTCCP", instruction.opcode):
                    raise ValueError(f"expected a known guard, but got {instruction}")
                if not taken:
                    continue
            if instruction.opcode == "EXIT":
                return self.issues
            if instruction.opcode.startswith("BRA"):
                conditions = [self.predicate(p) for p in instruction.operands[:-1]]
                if None in conditions:
                    raise ValueError(f"expected a known condition, but got {instruction}")
                if all(conditions):
                    at = program.labels[_target(instruction) or ""]
            else:
                self.step(instruction)
        raise ValueError(f"expected an EXIT within {MAX_STEPS} steps, but got none")

    def predicate(self, text: str) -> bool | None:
        """The value of `P0` or `!P0`; None where it is unknown."""
        value = self.predicates.get(text.lstrip("!"))
        return None if value is None else value != text.startswith("!")

    def value(self, text: str, wide: bool = False) -> int | None:
        """The value of an operand, of a register pair if `wide`; None where it is unknown."""
        if re.fullmatch(r"-?0x[0-9a-f]+", text):
            return int(text, 16) & (WORD << 32 | WORD if wide else WORD)
        text = text.removesuffix(".reuse").removesuffix(".64")
        low = self.registers.get(text)
        if not wide or text in ("RZ", "URZ"):
            return low
        high = self.registers.get(_next(text))
        return None if low is None or high is None else high << 32 | low

    def step(self, instruction: Instruction) -> None:
        """Runs an instruction that is no jump."""
        name, *flags = instruction.opcode.split(".")
        operands = instruction.operands
        if name == "UTCCP":
            return self.copy(instruction)
        execute = getattr(self, "do_" + name.lower(), None)
        if execute is None and name.startswith("U"):
            execute = getattr(self, "do_" + name[1:].lower(), None)
        result = None
        if execute is not None:
            result = execute(flags, operands)
        else:
            # Whatever an instruction that is not known here writes is unknown from now on.
            for operand in operands[:3]:
                if re.fullmatch(r"U?P\d", operand):
                    self.predicates[operand] = None
        if operands and (match := re.fullmatch(r"(U?R)(\d+)", operands[0])):
            self.write(operands[0], result, "64" in flags or "WIDE" in flags)
            for i in range(2, 4 if "128" in flags else 2):
                self.registers[f"{match[1]}{int(match[2]) + i}"] = None
        return None

    def write(self, register: str, value: int | None, wide: bool = False) -> None:
        """Sets a register, or a pair."""
        self.registers[register] = None if value is None else value & WORD
        if wide:
            self.registers[_next(register)] = None if value is None else value >> 32 & WORD

    def copy(self, instruction: Instruction) -> None:
        """Records a copy: `UTCCP.T.S.128dp128bit tmem[UR4+0x8], gdesc[UR6]`."""
        to = re.fullmatch(r"tmem\[(UR\d+)(?:\+(-?0x[0-9a-f]+))?\]", instruction.operands[0])
        source = re.fullmatch(r"gdesc\[(UR\d+)\]", instruction.operands[1])
        if not to or not source:
            raise ValueError(f"expected tmem[...], gdesc[...], but got {instruction}")
        taddr, descriptor = self.value(to[1]), self.value(source[1], wide=True)
        if taddr is None or descriptor is None:
            raise ValueError(f"expected known operands, but got {instruction}")
        opcode = instruction.opcode.removeprefix("UTCCP.T.S").removeprefix(".")
        self.issues.append(Issue(opcode, taddr + int(to[2] or "0", 16) & WORD, descriptor))

    # What follows is one method for each instruction; uniform ones are their namesakes.

    def do_mov(self, flags: list[str], operands: Sequence[str]) -> int | None:
        return self.value(operands[1])

    def do_r2ur(self, flags: list[str], operands: Sequence[str]) -> int | None:
        return self.value(operands[-1])

    def do_s2r(self, flags: list[str], operands: Sequence[str]) -> int | None:
        return {"SR_CgaCtaId": self.rank, "SR_TID.X": 0}.get(operands[1])

    do_s2ur = do_s2r

    def do_lds(self, flags: list[str], operands: Sequence[str]) -> int | None:
        return self.tmem if not flags else None

    def do_ldc(self, flags: list[str], operands: Sequence[str]) -> int | None:
        match = re.fullmatch(r"c\[0x0\]\[(0x[0-9a-f]+)\]", operands[1])
        return self.parameters.get(int(match[1], 16) - self.PARAMETERS) if match else None

    do_ldcu = do_ldc

    def do_elect(self, flags: list[str], operands: Sequence[str]) -> None:
        self.predicates[operands[0]] = True

    def do_iadd3(self, flags: list[str], operands: Sequence[str]) -> int | None:
        carry_out, operands = operands[1:3], operands[3:]
        if not re.fullmatch(r"U?P[\dT]", carry_out[0]):  # IADD3 without carries
            carry_out, operands = ("PT", "PT"), (*carry_out, *operands)
        wide = "64" in flags
        size = 64 if wide else 32
        total = 0
        for text in operands[:3]:
            negative = text.startswith("-") and not text.startswith("-0x")
            value = self.value(text.lstrip("-") if negative else text, wide)
            if value is None:
                return self.unknown_carry(carry_out[0])
            total += (~value & WORD) + 1 if negative and not wide else value
        if "X" in flags:
            carries = [self.predicate(p) for p in operands[3:5]]
            if None in carries:
                return self.unknown_carry(carry_out[0])
            total += sum(map(bool, carries))
        if re.fullmatch(r"U?P\d", carry_out[0]):
            self.predicates[carry_out[0]] = bool(total >> size)
        return total & ((1 << size) - 1)

    def unknown_carry(self, predicate: str) -> None:
        """Forgets a carry whose sum is unknown."""
        if predicate[-1] != "T":
            self.predicates[predicate] = None

    def do_lea(self, flags: list[str], operands: Sequence[str]) -> int | None:
        if set(flags) - {"HI"} or len(operands) != (5 if flags else 4):
            return None
        a, b, shift = (self.value(operands[i]) for i in (1, 2, -1))
        c = self.value(operands[3]) if flags else 0
        if a is None or b is None or c is None or shift is None:
            return None
        return ((c << 32 | a) << shift >> 32 if flags else a << shift) + b

    def do_shf(self, flags: list[str], operands: Sequence[str]) -> int | None:
        a, shift, c = (self.value(x) for x in operands[1:4])
        if a is None or shift is None or c is None:
            return None
        if flags == ["L", "U32"]:
            return a << shift
        if flags == ["R", "U32", "HI"] and a == 0:
            return c >> shift
        if flags == ["R", "S32", "HI"] and a == 0:
            return (c - (c >> 31 << 32)) >> shift & WORD
        return None

    def do_sgxt(self, flags: list[str], operands: Sequence[str]) -> int | None:
        a, bits = self.value(operands[1]), self.value(operands[2])
        return None if a is None or bits is None or flags != ["U32"] else a & ((1 << bits) - 1)

    def do_lop3(self, flags: list[str], operands: Sequence[str]) -> int | None:
        to = operands[0] if "P" in operands[0] else ""
        operands = operands[bool(to) :]
        a, b, c, table = (self.value(x) for x in operands[1:5])
        if to:
            self.predicates[to] = None
        if a is None or b is None or c is None or table is None:
            return None
        result = 0
        for i in range(8):
            if table >> i & 1:
                terms = [x if i >> n & 1 else ~x & WORD for x, n in ((a, 2), (b, 1), (c, 0))]
                result |= terms[0] & terms[1] & terms[2]
        if to:  # whether any bit is set; the register is written as well
            self.predicates[to] = result != 0
        return result

    def do_imad(self, flags: list[str], operands: Sequence[str]) -> int | None:
        a, b, c = (self.value(x) for x in operands[1:4])
        if a is None or b is None or c is None or set(flags) - {"U32", "MOV", "SHL"}:
            return None
        return a * b + c & WORD

    def do_isetp(self, flags: list[str], operands: Sequence[str]) -> None:
        a, b = self.value(operands[2]), self.value(operands[3])
        rest = [self.predicate(p) for p in operands[4:]]
        self.predicates[operands[0]] = None
        if a is None or b is None or None in rest:
            return
        if "U32" not in flags:
            a, b = (x - (x >> 31 << 32) for x in (a, b))
        result = {
            "GE": a >= b, "GT": a > b, "LE": a <= b, "LT": a < b, "EQ": a == b, "NE": a != b
        }[flags[0]]  # fmt: skip
        if flags[-1] == "EX":  # the high halves, behind those of the low ones
            equal = {"GE": True, "LE": True, "EQ": True}.get(flags[0], False)
            low = bool(rest[1])
            result = low if a == b else (result if flags[0] not in ("EQ", "NE") else not equal)
        other = bool(rest[0])
        self.predicates[operands[0]] = result or other if "OR" in flags else result and other

    def do_plop3(self, flags: list[str], operands: Sequence[str]) -> None:
        inputs = [self.predicate(p) for p in operands[2:5]]
        self.predicates[operands[0]] = None
        if None not in inputs:
            index = sum(bool(p) << n for p, n in zip(inputs, (2, 1, 0), strict=True))
            self.predicates[operands[0]] = bool(int(operands[5], 16) >> index & 1)


def _next(register: str) -> str:
    """The upper half of a pair."""
    kind, number = re.fullmatch(r"(U?R)(\d+)", register).groups()  # type: ignore[union-attr]
    return f"{kind}{int(number) + 1}"
