//===- LayoutParts.h - What layouts are made of -----------------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is written inside a layout, bound to Python: the axes `lane` and `col`,
// strides along them, run-time terms and swizzles. Part of the module
// `_layout`.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_PYTHON_LAYOUTPARTS_H
#define TCGEN05_PYTHON_LAYOUTPARTS_H

#include "LayoutArguments.h"
#include "LayoutValue.h"

namespace tcgen05 {
namespace python {

/// The objects `lane` and `col`, which turn numbers into strides.
struct PyAxis {
  layout::Axis axis;
  bool operator==(const PyAxis &other) const { return axis == other.axis; }
};

/// `lane` or `col` itself: nanobind finds the object of a C++ address again.
inline nb::object axisObject(layout::Axis axis) {
  using layout::Axis;
  static PyAxis lane{Axis::Lane}, col{Axis::Col};
  return nb::cast(axis == Axis::Lane ? &lane : &col, nb::rv_policy::reference);
}

/// As Python would write it: `64 @ lane`, or a bare number for memory.
inline std::string textOf(const layout::Stride &stride) {
  std::string out = std::to_string(stride.value);
  if (stride.axis != layout::Axis::Memory)
    out += " @ " + std::string(name(stride.axis));
  return out;
}

/// An int for memory, a Stride for lanes and columns.
inline nb::object toPython(const layout::Stride &stride) {
  return stride.axis == layout::Axis::Memory
             ? nb::object(nb::int_(stride.value))
             : nb::cast(stride);
}

inline void bindParts(nb::module_ &m) {
  using namespace layout;
  nb::class_<PyAxis> axis(
      m, "Axis",
      "An axis of tensor memory: `lane` or `col`. `64 @ lane` is a "
      "stride of 64 lanes.");
  axis.def_prop_ro(
      "name", [](PyAxis self) { return std::string(name(self.axis)); },
      "`lane` or `col`.");
  axis.def(
      "__rmatmul__",
      [](PyAxis self, nb::handle value) {
        return Stride{toInt(value, "a stride"), self.axis};
      },
      nb::arg("value").none(),
      nb::sig("def __rmatmul__(self, value: int, /) -> Stride"));
  addComparison(axis, [](PyAxis self) { return std::string(name(self.axis)); });
  // Pickled by its name: there are two, and no constructor.
  axis.def("__reduce__",
           [](PyAxis self) { return std::string(name(self.axis)); });

  nb::class_<Stride> stride(
      m, "Stride",
      "A step of lanes or columns, written `64 @ lane`. Strides of memory are "
      "plain ints, in elements.");
  stride.def(
      "__init__",
      [](Stride *self, nb::handle value, PyAxis axis) {
        new (self) Stride{toInt(value, "a stride"), axis.axis};
      },
      nb::arg("value").none(), nb::arg("axis"),
      nb::sig("def __init__(self, value: int, axis: Axis) -> None"));
  stride.def_ro("value", &Stride::value, "Lanes or columns.");
  stride.def_prop_ro(
      "axis", [](const Stride &self) { return axisObject(self.axis); },
      nb::sig("def axis(self) -> Axis"), "The axis that the step leads along.");
  addValue(
      stride, [](const Stride &self) { return textOf(self); },
      [](const Stride &self) {
        return nb::make_tuple(self.value, axisObject(self.axis));
      });

  nb::class_<AxisTerm> term(
      m, "Term",
      "A bounded run-time part of an offset: multiplier * i for one i with\n"
      "0 <= i < count.\n\n"
      "Args:\n"
      "    count: how many values there are, at least one.\n"
      "    multiplier: elements (int), or lanes or columns (`4 @ col`).");
  term.def(
      "__init__",
      [](AxisTerm *self, nb::handle count, nb::handle multiplier) {
        const Stride step = toStride(multiplier);
        const int64_t values = toInt(count, "count");
        if (values < 1)
          raise("expected count to be positive, but got " +
                std::to_string(values));
        new (self) AxisTerm{{values, step.value}, step.axis};
      },
      nb::arg("count").none(), nb::arg("multiplier").none(),
      nb::sig("def __init__(self, count: int, multiplier: int | Stride | str) "
              "-> None"));
  term.def_prop_ro(
      "count", [](const AxisTerm &self) { return self.term.count; },
      "How many values there are.");
  term.def_prop_ro(
      "multiplier",
      [](const AxisTerm &self) {
        return toPython({self.term.multiplier, self.axis});
      },
      nb::sig("def multiplier(self) -> int | Stride"),
      "What one step moves: elements, lanes or columns.");
  addValue(
      term,
      [](const AxisTerm &self) {
        return "Term(" + std::to_string(self.term.count) + ", " +
               textOf(Stride{self.term.multiplier, self.axis}) + ")";
      },
      [](const AxisTerm &self) {
        return nb::make_tuple(self.term.count,
                              toPython({self.term.multiplier, self.axis}));
      });

  nb::class_<Swizzle> swizzle(
      m, "Swizzle",
      "A swizzle mode: the XOR on shared-memory byte addresses.\n\n"
      "Args:\n"
      "    swizzle: None, 32, 64, 128 (bytes), or the text 'none', '32B', "
      "'64B',\n        '128B'.\n\n"
      "Source: PTX ISA, shared memory descriptor; measured on Hopper.");
  swizzle.def(
      "__init__",
      [](Swizzle *self, nb::handle value) {
        new (self) Swizzle(toSwizzle(value));
      },
      nb::arg("swizzle").none() = nb::none(),
      nb::sig("def __init__(self, swizzle: int | str | Swizzle | None = None) "
              "-> None"));
  swizzle.def_prop_ro(
      "mode", [](Swizzle self) { return mode(self); },
      "0 to 3, as in the formula a ^ ((a >> 3) & ((2**mode - 1) * 16)).");
  swizzle.def_prop_ro(
      "row_bytes", [](Swizzle self) { return rowBytes(self); },
      "Bytes of a row: 16, 32, 64 or 128.");
  swizzle.def_prop_ro(
      "period", [](Swizzle self) { return period(self); },
      "What the base must be a multiple of, in bytes: 16, 256, 512 or 1024.");
  swizzle.def(
      "apply",
      [](Swizzle self, nb::handle address) {
        return apply(self, toInt(address, "address"));
      },
      nb::arg("address").none(),
      nb::sig("def apply(self, address: int) -> int"),
      "The swizzled byte address of an absolute byte address.");
  swizzle.def("__str__", [](Swizzle self) { return std::string(name(self)); });
  addValue(
      swizzle,
      [](Swizzle self) { return "Swizzle('" + std::string(name(self)) + "')"; },
      [](Swizzle self) { return nb::make_tuple(std::string(name(self))); });

  m.attr("lane") = axisObject(Axis::Lane);
  m.attr("col") = axisObject(Axis::Col);
}

} // namespace python
} // namespace tcgen05

#endif // TCGEN05_PYTHON_LAYOUTPARTS_H
