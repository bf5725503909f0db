"""The pages of the rules, as the documentation has them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

NAMES = tuple(f"C{number}" for number in range(1, 16))

# Not resolved: a build tree links to the sources, and the pages lie beside the links.
_PAGES = Path(__file__).absolute().parent / "rules"


@dataclass(frozen=True)
class Rule:
    """A rule of a copy.

    Attributes:
        name: C1 to C15.
        text: its page: the statement, an illegal example with its error, reasons, a remedy.
    """

    name: str
    text: str

    @property
    def statement(self) -> str:
        """The first sentence."""
        return " ".join(self.text.split("\n\n")[0].split())


def rules() -> dict[str, Rule]:
    """All rules by their names, in order.

    Raises:
        ValueError: the pages are not part of the package.
    """
    return {name: rule(name) for name in NAMES}


def rule(name: str) -> Rule:
    """One rule, `C10` or `c10` say.

    Raises:
        ValueError: there is no such rule, or its page is not part of the package.
    """
    name = name.upper()
    if name not in NAMES:
        raise ValueError(f"expected rule to be one of {', '.join(NAMES)}, but got {name!r}")
    try:
        page = (_PAGES / f"{name}.md").read_text(encoding="utf-8")
    except OSError as error:
        raise ValueError(
            f"expected {name}.md to be part of the package, but got: {error.strerror}"
        ) from None
    return Rule(name, page.removeprefix(f"# {name}\n").strip() + "\n")
