//===- LayoutArguments.h - What Python hands to the ground floor -*- C++
//-*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The border between Python objects and plain values. People write layouts as
// ints, nested tuples, `64 @ lane`, `Term(6, 512)` or text; all of it becomes a
// `Layout::Parts` here, and below nothing knows of Python.
//
// Two kinds of mistake are told apart: an object of a wrong type is a
// TypeError, a value that means nothing is a LayoutError. Integers of Python
// have no bound, so every one passes through `toInt`, which checks that it fits
// 64 bits.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_PYTHON_LAYOUTARGUMENTS_H
#define TCGEN05_PYTHON_LAYOUTARGUMENTS_H

#include "tcgen05/Layout/Layout.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// A class with methods, not the plain enum that nanobind would make of it.
NB_MAKE_OPAQUE(tcgen05::layout::Swizzle)

namespace tcgen05 {
namespace python {

namespace nb = nanobind;

/// A bounded run-time term together with its axis.
struct AxisTerm {
  layout::Term term;
  layout::Axis axis;
  friend bool operator==(const AxisTerm &a, const AxisTerm &b) {
    return a.term == b.term && a.axis == b.axis;
  }
};

/// The class LayoutError; set when the module is created.
inline PyObject *&layoutErrorType() {
  static PyObject *type = nullptr;
  return type;
}

/// Raises an error of the ground floor, with its rule and notes.
[[noreturn]] inline void raise(const layout::Error &error) {
  nb::object type = nb::borrow(layoutErrorType());
  nb::object value = type(nb::str(error.message.c_str()));
  nb::list notes, shown;
  for (const std::string &note : error.notes) {
    notes.append(nb::str(note.c_str()));
    shown.append(nb::str(("note: " + note).c_str()));
  }
  if (!error.rule.empty())
    value.attr("rule") = nb::str(error.rule.c_str());
  value.attr("notes") = nb::tuple(notes);
  // Python 3.11 and later print these below the message.
  if (nb::len(shown) != 0)
    value.attr("__notes__") = shown;
  PyErr_SetObject(type.ptr(), value.ptr());
  throw nb::python_error();
}

[[noreturn]] inline void raise(const std::string &message) {
  raise(layout::Error{"", message});
}

/// The value of a result, or its error raised.
template <typename T> T unwrap(layout::Result<T> result) {
  if (!result)
    raise(result.error());
  return std::move(*result);
}

/// `expected WHAT to be WANTED, but got int`
[[noreturn]] inline void raiseType(const std::string &what,
                                   const std::string &wanted, nb::handle got) {
  const std::string type =
      nb::cast<std::string>(nb::borrow(got.type().attr("__name__")));
  throw nb::type_error(
      ("expected " + what + " to be " + wanted + ", but got " + type).c_str());
}

/// An integer, of int or of a type that can stand for one; no bool.
inline int64_t toInt(nb::handle object, const std::string &what) {
  if (PyBool_Check(object.ptr()) || !PyIndex_Check(object.ptr()))
    raiseType(what, "an integer", object);
  nb::object index = nb::steal(PyNumber_Index(object.ptr()));
  if (!index.is_valid())
    throw nb::python_error();
  int overflow = 0;
  const int64_t value = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  if (overflow != 0)
    raise("expected " + what + " to fit in 64 bits, but got a " +
          (overflow > 0 ? "larger" : "smaller") + " number");
  return value;
}

/// As `toInt`, in `least` to `most`.
inline int64_t toIntIn(nb::handle object, const std::string &what,
                       int64_t least, int64_t most) {
  const int64_t value = toInt(object, what);
  if (value < least || value > most)
    raise("expected " + what + " to be in " + std::to_string(least) + " to " +
          std::to_string(most) + ", but got " + std::to_string(value));
  return value;
}

/// True for what a nested argument may be made of. A string is no sequence of
/// integers, though Python says that it is one.
inline bool isSequence(nb::handle object) {
  return PyTuple_Check(object.ptr()) || PyList_Check(object.ptr());
}

inline std::vector<nb::object> toSequence(nb::handle object,
                                          const std::string &what) {
  if (!isSequence(object))
    raiseType(what, "a tuple or list", object);
  std::vector<nb::object> items;
  for (nb::handle item : object)
    items.push_back(nb::borrow(item));
  return items;
}

inline std::vector<int64_t> toInts(nb::handle object, const std::string &what) {
  std::vector<int64_t> values;
  for (const nb::object &item : toSequence(object, what))
    values.push_back(toInt(item, "an entry of " + what));
  return values;
}

/// A Python string; no lone surrogates, which have no UTF-8.
inline std::string toText(nb::handle object, const std::string &what) {
  Py_ssize_t size = 0;
  const char *data = PyUnicode_Check(object.ptr())
                         ? PyUnicode_AsUTF8AndSize(object.ptr(), &size)
                         : nullptr;
  if (!data) {
    if (!PyErr_Occurred())
      raiseType(what, "a string", object);
    PyErr_Clear();
    raise("expected " + what + " to be valid text, but got a lone surrogate");
  }
  return std::string(data, static_cast<size_t>(size));
}

/// Text of one entry of `strides` or `offset`, by way of a layout's grammar.
inline layout::Layout parseEntry(const std::string &text,
                                 const std::string &what,
                                 std::string_view before) {
  // A bracket or comma would end the entry and begin something else.
  layout::Result<layout::Layout> parsed =
      text.find_first_of("[](),:") == std::string::npos
          ? layout::Layout::parse(std::string(before) + text + "]")
          : layout::Result<layout::Layout>(layout::Error{});
  if (!parsed)
    raise("expected " + what + ", but got '" + text + "'");
  return std::move(*parsed);
}

/// An int (memory), `64 @ lane`, or `"64@lane"`.
inline layout::Stride toStride(nb::handle object) {
  if (nb::isinstance<layout::Stride>(object))
    return nb::cast<layout::Stride>(object);
  if (PyUnicode_Check(object.ptr()))
    return parseEntry(toText(object, "a stride"),
                      "a stride such as '4' or '64@lane'", "[2] : [")
        .leaves(0)[0]
        .stride;
  if (PyBool_Check(object.ptr()) || !PyIndex_Check(object.ptr()))
    raiseType("a stride", "an integer, a stride such as 64 @ lane, or its text",
              object);
  return {toInt(object, "a stride"), layout::Axis::Memory};
}

/// A mode from an extent and a stride that are nested alike.
inline layout::Mode toMode(nb::handle extent, nb::handle stride,
                           unsigned depth = 1) {
  if (!isSequence(extent)) {
    if (isSequence(stride))
      raise("expected strides to be nested as the shape is, but got a tuple of "
            "strides for one extent");
    return {toInt(extent, "an extent"), toStride(stride)};
  }
  if (depth > layout::kMaxDepth)
    raise("expected at most " + std::to_string(layout::kMaxDepth) +
          " nested tuples, but got more");
  if (!isSequence(stride))
    raise("expected strides to be nested as the shape is, but got one stride "
          "for a tuple of extents");
  std::vector<nb::object> extents = toSequence(extent, "shape");
  std::vector<nb::object> strides = toSequence(stride, "strides");
  if (extents.empty())
    raise("expected a nested extent to hold extents, but got none");
  if (extents.size() != strides.size())
    raise("expected " + std::to_string(extents.size()) +
          " nested strides, but got " + std::to_string(strides.size()));
  layout::Mode mode;
  for (size_t i = 0; i < extents.size(); ++i)
    mode.children.push_back(toMode(extents[i], strides[i], depth + 1));
  return mode;
}

inline std::vector<layout::Mode> toDims(nb::handle shape, nb::handle strides) {
  std::vector<nb::object> extents = toSequence(shape, "shape");
  std::vector<nb::object> steps = toSequence(strides, "strides");
  if (extents.size() != steps.size())
    raise("expected " + std::to_string(extents.size()) + " strides, but got " +
          std::to_string(steps.size()));
  std::vector<layout::Mode> dims;
  dims.reserve(extents.size());
  for (size_t i = 0; i < extents.size(); ++i)
    dims.push_back(toMode(extents[i], steps[i]));
  return dims;
}

/// A list of (extent, stride) pairs, each nested or not.
inline std::vector<layout::Mode> toReplica(nb::handle object) {
  std::vector<layout::Mode> replica;
  for (const nb::object &entry : toSequence(object, "replica")) {
    std::vector<nb::object> pair = toSequence(entry, "an entry of replica");
    if (pair.size() != 2)
      raise("expected an entry of replica to be a pair of extent and stride, "
            "but got " +
            std::to_string(pair.size()) + " values");
    replica.push_back(toMode(pair[0], pair[1]));
  }
  return replica;
}

/// Adds one entry of `offset`: an int, a stride, a term, or the text of a sum.
inline void addOffset(nb::handle object,
                      std::array<layout::AxisOffset, layout::kNumAxes> &sum) {
  auto at = [&](layout::Axis axis) -> layout::AxisOffset & {
    return sum[static_cast<unsigned>(axis)];
  };
  auto add = [&](layout::Axis axis, int64_t value) {
    int64_t &constant = at(axis).constant;
    if (__builtin_add_overflow(constant, value, &constant))
      raise("expected offset to fit in 64 bits, but got a larger sum");
  };
  if (nb::isinstance<AxisTerm>(object)) {
    const AxisTerm term = nb::cast<AxisTerm>(object);
    at(term.axis).terms.push_back(term.term);
    return;
  }
  if (PyUnicode_Check(object.ptr())) {
    const layout::Layout parsed = parseEntry(
        toText(object, "an offset"),
        "an offset such as '64' or '?6*512 + 64@col'", "[1] : [0], offset [");
    for (layout::Axis axis :
         {layout::Axis::Memory, layout::Axis::Lane, layout::Axis::Col}) {
      const layout::AxisOffset &offset = parsed.offset(axis);
      add(axis, offset.constant);
      at(axis).terms.insert(at(axis).terms.end(), offset.terms.begin(),
                            offset.terms.end());
    }
    return;
  }
  if (!nb::isinstance<layout::Stride>(object) &&
      (PyBool_Check(object.ptr()) || !PyIndex_Check(object.ptr())))
    raiseType("an entry of offset",
              "an integer, a stride such as 8 @ col, a Term, or text", object);
  const layout::Stride stride = toStride(object);
  add(stride.axis, stride.value);
}

/// None, a number of bytes, their text, or a Swizzle.
inline layout::Swizzle toSwizzle(nb::handle object) {
  if (object.is_none())
    return layout::Swizzle::None;
  if (nb::isinstance<layout::Swizzle>(object))
    return nb::cast<layout::Swizzle>(object);
  const std::string wanted = "expected swizzle to be none, 32B, 64B or 128B";
  if (PyUnicode_Check(object.ptr())) {
    const std::string text = toText(object, "swizzle");
    for (layout::Swizzle swizzle : layout::kSwizzles)
      if (layout::name(swizzle) == text)
        return swizzle;
    raise(wanted + ", but got '" + text + "'");
  }
  if (PyBool_Check(object.ptr()) || !PyIndex_Check(object.ptr()))
    raiseType("swizzle", "None, a number of bytes, their text or a Swizzle",
              object);
  const int64_t bytes = toInt(object, "swizzle");
  if (auto swizzle = layout::swizzleOfBytes(bytes))
    return *swizzle;
  raise(wanted + ", but got " + std::to_string(bytes));
}

/// A tuple of what `function` makes of each item.
template <typename Range, typename Function>
nb::tuple tupleOf(const Range &range, Function function) {
  nb::list list;
  for (const auto &item : range)
    list.append(function(item));
  return nb::tuple(list);
}

/// A Layout or its text.
inline layout::Layout toLayout(nb::handle object, const std::string &what) {
  if (nb::isinstance<layout::Layout>(object))
    return nb::cast<layout::Layout>(object);
  if (PyUnicode_Check(object.ptr()))
    return unwrap(layout::Layout::parse(toText(object, what)));
  raiseType(what, "a Layout or its text", object);
}

} // namespace python
} // namespace tcgen05

#endif // TCGEN05_PYTHON_LAYOUTARGUMENTS_H
