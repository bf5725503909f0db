//===- LayoutCp.h - tcgen05.cp in the Python module _layout -----*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The room of one instruction: its atoms, its opcode and its plan. Included by
// LayoutExtension.cpp, which holds what all instructions share.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_PYTHON_LAYOUTCP_H
#define TCGEN05_PYTHON_LAYOUTCP_H

#include "LayoutArguments.h"
#include "LayoutValue.h"

#include "tcgen05/Layout/Cp/Plan.h"

#include <limits>
#include <optional>

namespace tcgen05 {
namespace python {

/// The text of a qualifier; None and the empty string are none.
inline std::string toQualifier(nb::handle object, const std::string &what) {
  return object.is_none() ? std::string() : toText(object, what);
}
inline nb::object orNone(std::string_view text) {
  return text.empty() ? nb::object(nb::none())
                      : nb::object(nb::str(text.data(), text.size()));
}
inline std::string quoted(std::string_view text) {
  return text.empty() ? "None" : "'" + std::string(text) + "'";
}

inline layout::CpOpcode toOpcode(nb::handle object) {
  if (nb::isinstance<layout::CpOpcode>(object))
    return nb::cast<layout::CpOpcode>(object);
  if (!PyUnicode_Check(object.ptr()))
    raiseType("opcode", "a string or a CpOpcode", object);
  return unwrap(layout::CpOpcode::parse(toText(object, "opcode")));
}

inline nb::tuple toTuple(const layout::CpOffset &offset) {
  return nb::make_tuple(offset.lane, offset.col, offset.bytes);
}

inline void bindCpAtom(nb::module_ &m) {
  using layout::CpAtom;
  nb::class_<CpAtom> atom(
      m, "CpAtom",
      "A shape of tcgen05.cp with its multicast: what one instruction "
      "moves.\n\n"
      "Args:\n"
      "    shape: as in PTX, `64x128b`.\n"
      "    multicast: as in PTX, `warpx2::01_23`; None for a shape without.\n\n"
      "Raises:\n"
      "    LayoutError: the pair is not one of the six (rule C1).\n\n"
      "Source: PTX ISA, tcgen05.cp; `atoms()` lists them.");
  atom.def(
      "__init__",
      [](CpAtom *self, nb::handle shape, nb::handle multicast) {
        new (self) CpAtom(unwrap(layout::CpOpcode::create(
                                     1, toText(shape, "shape"),
                                     toQualifier(multicast, "multicast"), ""))
                              .atom);
      },
      nb::arg("shape").none(), nb::arg("multicast").none() = nb::none(),
      nb::sig("def __init__(self, shape: str, multicast: str | None = None) "
              "-> None"));
  atom.def_prop_ro(
      "shape", [](const CpAtom &a) { return std::string(a.shape); },
      "The shape as PTX spells it.");
  atom.def_prop_ro(
      "multicast", [](const CpAtom &a) { return orNone(a.multicast); },
      nb::sig("def multicast(self) -> str | None"),
      "The multicast as PTX spells it, or None.");
  atom.def_ro("rows", &CpAtom::rows, "Rows that one instruction moves.");
  atom.def_ro("words", &CpAtom::words, "32-bit words of a row.");
  atom.def_ro("replicas", &CpAtom::replicas, "Copies of each row.");
  atom.def_ro("replica_stride", &CpAtom::replicaStride,
              "Lanes from one copy of a row to the next.");
  atom.def(
      "lane",
      [](const CpAtom &a, nb::handle row) {
        return a.lane(toIntIn(row, "row", 0, a.rows - 1));
      },
      nb::arg("row").none(), nb::sig("def lane(self, row: int) -> int"),
      "The lane of a row, relative to the lane of row 0.");
  atom.def("__str__", &CpAtom::str);
  addValue(
      atom,
      [](const CpAtom &a) {
        return "CpAtom(" + quoted(a.shape) +
               (a.multicast.empty() ? "" : ", " + quoted(a.multicast)) + ")";
      },
      [](const CpAtom &a) {
        return nb::make_tuple(std::string(a.shape), orNone(a.multicast));
      });
  m.def(
      "atoms",
      [] {
        return tupleOf(layout::kCpAtoms,
                       [](const CpAtom &row) { return nb::cast(row); });
      },
      nb::sig("def atoms() -> tuple[CpAtom, ...]"),
      "The six shapes of tcgen05.cp, in the order of the specification.");
}

inline void bindCpOpcode(nb::module_ &m) {
  using layout::CpOpcode;
  nb::class_<CpOpcode> opcode(
      m, "CpOpcode",
      "The qualifiers of a copy: an atom, a CTA group, a decompression.\n\n"
      "Args:\n"
      "    shape, multicast: as in `CpAtom`.\n"
      "    cta_group: 1 or 2.\n"
      "    decompress: `b8x16.b4x16_p64`, `b8x16.b6x16_p32` or None.\n\n"
      "Raises:\n"
      "    LayoutError: there is no such instruction (rule C1).\n\n"
      "Source: PTX ISA, tcgen05.cp; `opcodes()` lists them.");
  opcode.def(
      "__init__",
      [](CpOpcode *self, nb::handle shape, nb::handle multicast,
         nb::handle group, nb::handle decompress) {
        new (self) CpOpcode(unwrap(
            CpOpcode::create(toInt(group, "cta_group"), toText(shape, "shape"),
                             toQualifier(multicast, "multicast"),
                             toQualifier(decompress, "decompress"))));
      },
      nb::arg("shape").none(), nb::arg("multicast").none() = nb::none(),
      nb::arg("cta_group").none() = 1,
      nb::arg("decompress").none() = nb::none(),
      nb::sig("def __init__(self, shape: str, multicast: str | None = None, "
              "cta_group: int = 1, decompress: str | None = None) -> None"));
  opcode.def_static(
      "parse",
      [](nb::handle text) {
        return unwrap(CpOpcode::parse(toText(text, "opcode")));
      },
      nb::arg("text").none(), nb::sig("def parse(text: str) -> CpOpcode"),
      "Reads `cta_group::1.128x128b`, with or without `tcgen05.cp.` before "
      "it.\n\n"
      "Raises:\n"
      "    LayoutError: an unknown, repeated or misplaced qualifier (rule "
      "C1).");
  opcode.def_ro("atom", &CpOpcode::atom, "The shape with its multicast.");
  opcode.def_ro("cta_group", &CpOpcode::ctaGroup, "1 or 2.");
  opcode.def_prop_ro(
      "decompress", [](const CpOpcode &o) { return orNone(o.decompress); },
      nb::sig("def decompress(self) -> str | None"),
      "The formats of a decompressing copy as PTX spells them, or None.");
  opcode.def("__str__", &CpOpcode::str);
  addValue(
      opcode,
      [](const CpOpcode &o) { return "CpOpcode.parse('" + o.str() + "')"; },
      [](const CpOpcode &o) {
        return nb::make_tuple(std::string(o.atom.shape),
                              orNone(o.atom.multicast), o.ctaGroup,
                              orNone(o.decompress));
      });
  m.def(
      "opcodes",
      [] {
        return tupleOf(layout::allCpOpcodes(),
                       [](const CpOpcode &row) { return nb::cast(row); });
      },
      nb::sig("def opcodes() -> tuple[CpOpcode, ...]"),
      "The 36 opcodes of tcgen05.cp that exist.");
}

inline void bindCpPlan(nb::module_ &m) {
  using layout::Axis;
  using layout::CpPlan;
  nb::class_<CpPlan> plan(m, "CpPlan",
                          "A legal copy: how it is issued. Made by `plan_cp`.");
  plan.def_ro("opcode", &CpPlan::opcode, "The opcode of every instruction.");
  plan.def_prop_ro(
      "scope", [](const CpPlan &p) { return std::string(name(p.scope)); },
      "Who issues: thread, warp, warpgroup, cta or cluster.");
  plan.def_ro("walk", &CpPlan::walk, "The walk of every descriptor.");
  plan.def_ro("descriptor", &CpPlan::descriptorBase,
              "The descriptor of shared address zero: all fields but the "
              "start.");
  plan.def_prop_ro(
      "origin", [](const CpPlan &p) { return toTuple(p.origin); },
      nb::sig("def origin(self) -> tuple[int, int, int]"),
      "Lanes, columns and bytes from the views to the first issue, run-time "
      "terms aside.");
  plan.def_prop_ro(
      "repeats",
      [](const CpPlan &p) {
        nb::list list;
        for (int64_t i = 0, e = p.numRepeats(); i < e; ++i)
          list.append(toTuple(p.repeat(i)));
        return nb::tuple(list);
      },
      nb::sig("def repeats(self) -> tuple[tuple[int, int, int], ...]"),
      "Lanes, columns and bytes of each issue relative to `origin`, in order.");
  plan.def_prop_ro(
      "groups",
      [](const CpPlan &p) {
        nb::list list;
        std::vector<layout::GroupAxis> axes = groupAxes(p.scope);
        for (size_t i = 0; i < p.groups.size() && i < axes.size(); ++i)
          list.append(
              nb::make_tuple(std::string(name(axes[i])), p.groups[i].extent));
        return nb::tuple(list);
      },
      nb::sig("def groups(self) -> tuple[tuple[str, int], ...]"),
      "Name and length of each group axis, outermost first.");
  auto terms = [](std::initializer_list<
                   std::pair<const std::vector<layout::Term> *, Axis>>
                      lists) {
    nb::list out;
    for (const auto &[list, axis] : lists)
      for (const layout::Term &term : *list)
        out.append(nb::cast(AxisTerm{term, axis}));
    return nb::tuple(out);
  };
  plan.def_prop_ro(
      "dst_terms",
      [terms](const CpPlan &p) {
        return terms(
            {{&p.dstLaneTerms, Axis::Lane}, {&p.dstColTerms, Axis::Col}});
      },
      nb::sig("def dst_terms(self) -> tuple[Term, ...]"),
      "Run-time terms of dst, lanes before columns.");
  plan.def_prop_ro(
      "src_terms",
      [terms](const CpPlan &p) {
        return terms({{&p.srcTerms, Axis::Memory}});
      },
      nb::sig("def src_terms(self) -> tuple[Term, ...]"),
      "Run-time terms of src, multipliers in bytes.");
  plan.def(
      "issues",
      [](const CpPlan &p, nb::handle dstTerms, nb::handle srcTerms,
         nb::handle group, nb::handle taddr, nb::handle saddr) {
        std::vector<layout::CpIssue> issues = unwrap(p.issues(
            toInts(dstTerms, "dst_terms"), toInts(srcTerms, "src_terms"),
            toInts(group, "group"),
            static_cast<uint32_t>(toIntIn(
                taddr, "taddr", 0, std::numeric_limits<uint32_t>::max())),
            toInt(saddr, "saddr")));
        nb::list list;
        for (const layout::CpIssue &issue : issues)
          list.append(nb::make_tuple(issue.taddr, issue.descriptor));
        return list;
      },
      nb::arg("dst_terms").none() = nb::tuple(),
      nb::arg("src_terms").none() = nb::tuple(),
      nb::arg("group").none() = nb::tuple(), nb::arg("taddr").none() = 0,
      nb::arg("saddr").none() = 0,
      nb::sig("def issues(self, dst_terms: collections.abc.Sequence[int] = (), "
              "src_terms: collections.abc.Sequence[int] = (), "
              "group: collections.abc.Sequence[int] = (), taddr: int = 0, "
              "saddr: int = 0) -> list[tuple[int, int]]"),
      "What the hardware is given.\n\n"
      "Args:\n"
      "    dst_terms, src_terms: values of the run-time terms, in the order "
      "of\n"
      "        the properties; missing ones are zero.\n"
      "    group: coordinates of the issuing thread on the group axes; "
      "missing\n"
      "        ones are zero.\n"
      "    taddr: TMEM address of the dst view: a column, in lane 0.\n"
      "    saddr: shared address of the src view in bytes.\n\n"
      "Returns:\n"
      "    (taddr, descriptor) of each repeat, in issue order.\n\n"
      "Raises:\n"
      "    LayoutError: a value is out of its bounds, or an address is none "
      "of\n"
      "        the view's.");
  plan.def("__repr__", [](const CpPlan &p) {
    return "<CpPlan " + p.opcode.str() + ", " + std::to_string(p.numRepeats()) +
           " issues, " + p.walk.str() + ">";
  });
}

inline layout::CpPlan planCp(nb::handle opcode, nb::handle dst, nb::handle src,
                             nb::handle dstBits, nb::handle srcBits,
                             nb::handle columns, nb::handle align,
                             nb::handle storage, nb::handle scope,
                             nb::handle dstElement, nb::handle srcElement,
                             nb::handle matching) {
  const layout::CpOpcode parsed = toOpcode(opcode);
  // Wider than any element there is, and far from overflow as a factor.
  constexpr int64_t kMaxBits = 1024;
  auto element = [](nb::handle object, const std::string &what) {
    return object.is_none() ? std::string() : toText(object, what);
  };
  layout::TmemRegion to{
      toLayout(dst, "dst"), toIntIn(dstBits, "dst_bits", 1, kMaxBits),
      toInt(columns, "columns"), element(dstElement, "dst_element")};
  layout::SmemRegion from{
      toLayout(src, "src"), toIntIn(srcBits, "src_bits", 1, kMaxBits),
      toInt(align, "align"), std::nullopt, element(srcElement, "src_element")};
  if (!storage.is_none())
    from.storage = toInt(storage, "storage");
  const std::string how = toText(matching, "matching");
  if (how != "strides" && how != "points")
    raise("expected matching to be strides or points, but got '" + how + "'");
  return unwrap(layout::planCp(
      parsed, to, from, unwrap(layout::parseCpScope(toText(scope, "scope"))),
      how == "points" ? layout::CpMatching::Points
                      : layout::CpMatching::Strides));
}

inline void bindCp(nb::module_ &m) {
  bindCpAtom(m);
  bindCpOpcode(m);
  bindCpPlan(m);
  m.def(
      "plan_cp", &planCp, nb::arg("opcode").none(), nb::arg("dst").none(),
      nb::arg("src").none(), nb::kw_only(), nb::arg("dst_bits").none() = 32,
      nb::arg("src_bits").none() = 32,
      nb::arg("columns").none() = layout::kColumns,
      nb::arg("align").none() = layout::kDefaultAlign,
      nb::arg("storage").none() = nb::none(),
      nb::arg("scope").none() = "thread",
      nb::arg("dst_element").none() = nb::none(),
      nb::arg("src_element").none() = nb::none(),
      nb::arg("matching").none() = "strides",
      nb::sig(
          "def plan_cp(opcode: str | CpOpcode, dst: Layout | str, "
          "src: Layout | str, *, dst_bits: int = 32, src_bits: int = 32, "
          "columns: int = 512, align: int = 16, storage: int | None = None, "
          "scope: str = 'thread', dst_element: str | None = None, "
          "src_element: str | None = None, matching: str = 'strides') "
          "-> CpPlan"),
      "Decides whether a copy is legal, and how it is issued.\n\n"
      "Args:\n"
      "    opcode: a CpOpcode or its text, `cta_group::1.128x128b`.\n"
      "    dst: a layout of shape (group axes..., repeats..., rows, words) in\n"
      "        lanes and columns.\n"
      "    src: a layout of the same shape in elements of shared memory.\n"
      "    dst_bits, src_bits: width of an element.\n"
      "    columns: columns that dst may use from its base.\n"
      "    align: bytes; a power of two that divides the base address of src.\n"
      "    storage: bytes that belong to src; None is one past its image.\n"
      "    scope: thread, warp, warpgroup, cta or cluster.\n"
      "    dst_element, src_element: names of the element types for messages.\n"
      "    matching: strides, or points to compare point by point; the two\n"
      "        agree.\n\n"
      "Returns:\n"
      "    The plan: walk, descriptor, and one displacement for each issue.\n\n"
      "Raises:\n"
      "    LayoutError: `rule` says which of C1 to C14 failed; None if an\n"
      "        operand's type does not exist.");
}

} // namespace python
} // namespace tcgen05

#endif // TCGEN05_PYTHON_LAYOUTCP_H
