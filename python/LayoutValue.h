//===- LayoutValue.h - What makes a bound class a value ---------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Objects of the module are values: equal if their parts are, hashable,
// immutable, printed as an expression that makes them again, copied and pickled
// through the arguments of their constructor.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_PYTHON_LAYOUTVALUE_H
#define TCGEN05_PYTHON_LAYOUTVALUE_H

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <functional>
#include <string>

namespace tcgen05 {
namespace python {

namespace nb = nanobind;

/// Adds ==, hash and repr to a class; `repr` gives the expression. Equal values
/// have equal expressions, which is what makes the hash one.
template <typename T, typename Repr>
void addComparison(nb::class_<T> &type, Repr repr) {
  type.def(
      "__eq__", [](const T &a, const T &b) { return a == b; },
      nb::is_operator(), nb::sig("def __eq__(self, other: object, /) -> bool"));
  type.def(
      "__ne__", [](const T &a, const T &b) { return !(a == b); },
      nb::is_operator(), nb::sig("def __ne__(self, other: object, /) -> bool"));
  type.def("__hash__", [repr](const T &self) {
    return static_cast<Py_hash_t>(std::hash<std::string>()(repr(self)) >> 1);
  });
  type.def("__repr__", [repr](const T &self) { return repr(self); });
}

/// Adds pickling too; `arguments` gives the tuple for the constructor.
template <typename T, typename Repr, typename Arguments>
void addValue(nb::class_<T> &type, Repr repr, Arguments arguments) {
  addComparison(type, repr);
  type.def(
      "__reduce__",
      [arguments](nb::handle self) {
        return nb::make_tuple(nb::borrow(self.type()),
                              arguments(nb::cast<const T &>(self)));
      },
      nb::sig("def __reduce__(self) -> tuple[type, tuple[typing.Any, ...]]"));
}

} // namespace python
} // namespace tcgen05

#endif // TCGEN05_PYTHON_LAYOUTVALUE_H
