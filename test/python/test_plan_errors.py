# RUN: %pytest %s
"""What a person can get wrong around a plan, apart from the rules of the copy."""

from __future__ import annotations

from typing import Any

import pytest
from mlir_tcgen05.layout import CpOpcode, Layout, LayoutError, plan_cp

T128 = "[128, 4] : [1@lane, 1@col]"
S128 = "[128, 4] : [4, 1]"


def plan(shape: str, dst: str, src: str, **keywords: Any) -> Any:
    return plan_cp(f"cta_group::1.{shape}", dst, src, **keywords)


def refused(shape: str, dst: str, src: str, **keywords: Any) -> tuple[str | None, str]:
    with pytest.raises(LayoutError) as error:
        plan(shape, dst, src, **keywords)
    return error.value.rule, str(error.value)


@pytest.mark.parametrize(
    ("text", "got"),
    [
        ("", "the end of the opcode"),
        ("cta_group::3.128x128b", "'cta_group::3'"),
        ("128x128b", "'128x128b'"),
        ("cta_group::1", "the end of the opcode"),
        ("cta_group::1.16x128b", "'16x128b'"),
        ("cta_group::1.32x128b.warpx2::02_13", "warpx2::02_13"),
        ("cta_group::1.128x128b.b4x16_p64", "'b4x16_p64'"),
        ("cta_group::1.64x128b.b8x16.b4x16_p64.warpx2::02_13", "'b8x16'"),
        ("cta_group::1.4x256b.b8x16.b4x16_p64.b8x16.b4x16_p64", "'b8x16.b4x16_p64'"),
        ("cta_group::1.4x256b ", "'4x256b '"),
        ("tcgen05.cp.tcgen05.cp.cta_group::1.4x256b", "'tcgen05'"),
    ],
)
def test_opcode_errors_name_what_is_wrong(text: str, got: str) -> None:
    with pytest.raises(LayoutError) as error:
        CpOpcode.parse(text)
    assert error.value.rule == "C1"
    assert str(error.value).startswith("expected ")
    assert str(error.value).endswith(f", but got {got}")


@pytest.mark.parametrize(
    ("dst", "src", "keywords", "got"),
    [
        (S128, S128, {}, "memory"),
        (T128, T128, {}, "lane"),
        (T128 + ", swizzle 32B", S128, {}, "32B"),
        (T128, S128, {"columns": 6}, "6"),
        (T128, S128, {"columns": 516}, "516"),
        (T128, S128, {"align": 8}, "8"),
        (T128, S128, {"align": 768}, "768"),
        (T128, S128, {"align": -16}, "-16"),
        (T128, S128, {"storage": 1 << 18}, "262144"),
        (T128, S128, {"storage": -1}, "-1"),
        (T128, S128, {"scope": "block"}, "'block'"),
        (T128, S128, {"matching": "luck"}, "'luck'"),
        (T128, S128, {"align": 1 << 80}, "a larger number"),
        (T128, S128 + ", replica [2 : 4]", {}, "[2 : 4]"),
    ],
)
def test_operands_that_do_not_exist(dst: str, src: str, keywords: dict[str, Any], got: str) -> None:
    rule, sentence = refused("128x128b", dst, src, **keywords)
    assert rule is None
    assert sentence.startswith("expected ")
    assert sentence.endswith(f", but got {got}") or sentence.endswith(f", but got {got} bytes")


@pytest.mark.parametrize(
    ("keywords", "sentence"),
    [
        ({"opcode": 5}, "expected opcode to be a string or a CpOpcode, but got int"),
        ({"dst": None}, "expected dst to be a Layout or its text, but got NoneType"),
        ({"src": [128, 4]}, "expected src to be a Layout or its text, but got list"),
        ({"align": "16"}, "expected align to be an integer, but got str"),
        ({"scope": 1}, "expected scope to be a string, but got int"),
    ],
)
def test_wrong_types(keywords: dict[str, Any], sentence: str) -> None:
    arguments = {"opcode": "cta_group::1.128x128b", "dst": Layout.parse(T128), "src": S128}
    with pytest.raises(TypeError) as error:
        plan_cp(**{**arguments, **keywords})
    assert str(error.value) == sentence


def test_issues_check_what_they_are_given() -> None:
    dst = T128 + ", offset [?3*4@col]"
    copy = plan("128x128b", dst, S128 + ", offset [?2*512]")
    assert copy.issues([2], [1]) == [(8, 0x0000400800010080)]
    for arguments in ([3], [-1], [0, 0], [1 << 70]):
        with pytest.raises(LayoutError):
            copy.issues(dst_terms=arguments)
    for keywords in (
        {"src_terms": [2]},
        {"group": [0]},
        {"taddr": 1 << 32},
        {"taddr": 2},
        {"saddr": 8},
        {"saddr": -16},
        {"saddr": 1 << 18},
    ):
        with pytest.raises(LayoutError):
            copy.issues(**keywords)
