"""What a function's copies leave in tensor memory, without the hardware.

    image = simulate(module, "kernel", 0, shared=shared_bytes)
    image.read(lane=3, column=0, columns=4)

`trace` says what is issued, `reference.copy` what each instruction does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

from . import reference
from ._trace import Thread, TraceError, as_thread, trace_events

if TYPE_CHECKING:
    from mlir import ir

Image = reference.Tmem | reference.Words | None


@overload
def simulate(
    module: ir.Module | ir.Operation,
    entry: str,
    *arguments: int,
    shared: reference.Bytes,
    tmem: Image = ...,
    thread: Thread | int | Sequence[int] | None = ...,
) -> reference.Tmem: ...
@overload
def simulate(
    module: ir.Module | ir.Operation,
    entry: str,
    *arguments: int,
    shared: tuple[reference.Bytes, reference.Bytes],
    tmem: tuple[Image, Image] | None = ...,
    thread: Thread | int | Sequence[int] | None = ...,
) -> tuple[reference.Tmem, reference.Tmem]: ...
def simulate(
    module: ir.Module | ir.Operation,
    entry: str,
    *arguments: int,
    shared: reference.Bytes | tuple[reference.Bytes, reference.Bytes],
    tmem: Image | tuple[Image, Image] = None,
    thread: Thread | int | Sequence[int] | None = None,
) -> reference.Tmem | tuple[reference.Tmem, reference.Tmem]:
    """Runs a function as `trace` does, and each instruction as the reference does.

    Args:
        module, entry, arguments, thread: as for `trace`.
        shared: uint8[...]: byte a is the byte at shared address a. A tuple of two is a pair of
            CTAs, which copies with cta_group::2 need.
        tmem: the image before, or a pair of images; all poison by default. It stays as it is.

    Returns:
        The image after; for a pair of CTAs both. A copy of cta_group::1 reaches the CTA of the
        thread that issues it, its rank in the cluster modulo two.

    Raises:
        TraceError: as `trace`, or a copy with cta_group::2 and one shared image.
        InstructionError: an instruction has no meaning, or two copies write one cell and no wait
            on an mbarrier lies between them.
    """
    pair = isinstance(shared, tuple)
    images = shared if isinstance(shared, tuple) else (shared,)
    before = tmem if isinstance(tmem, tuple) else (tmem,) * len(images)
    if len(images) != (2 if pair else 1) or len(before) != len(images):
        raise TraceError(
            f"expected shared and tmem to be one image or two each, "
            f"but got {len(images)} and {len(before)}"
        )
    who = as_thread(thread)
    results = [_start(image) for image in before]
    for event in trace_events(module, entry, arguments, who):
        if event is None:
            for result in results:
                result.wait()
            continue
        group = reference.parse_opcode(event.opcode).cta_group
        if group > len(images):
            raise TraceError("expected shared to be two images for cta_group::2, but got one")
        ranks = range(2) if group == 2 else [who.rank % len(images)]
        for rank in ranks:
            reference.copy(event.opcode, images[rank], event.descriptor, event.taddr, results[rank])
    return (results[0], results[1]) if pair else results[0]


def _start(image: Image) -> reference.Tmem:
    if not isinstance(image, reference.Tmem):
        return reference.Tmem(image)
    copy = reference.Tmem()
    copy.words, copy.written = image.words.copy(), image.written.copy()
    return copy
