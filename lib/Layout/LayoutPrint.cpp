//===- LayoutPrint.cpp - Writing layouts ----------------------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05/Layout/Layout.h"

namespace tcgen05 {
namespace layout {

static void printExtent(std::string &out, const Mode &mode) {
  if (mode.isLeaf()) {
    out += std::to_string(mode.extent);
    return;
  }
  out += '(';
  for (size_t i = 0; i < mode.children.size(); ++i) {
    out += i > 0 ? ", " : "";
    printExtent(out, mode.children[i]);
  }
  out += ')';
}

static void printAxis(std::string &out, Axis axis) {
  if (axis != Axis::Memory)
    out += "@" + std::string(name(axis));
}

static void printStride(std::string &out, const Mode &mode) {
  if (mode.isLeaf()) {
    out += std::to_string(mode.stride.value);
    printAxis(out, mode.stride.axis);
    return;
  }
  out += '(';
  for (size_t i = 0; i < mode.children.size(); ++i) {
    out += i > 0 ? ", " : "";
    printStride(out, mode.children[i]);
  }
  out += ')';
}

static void printOffset(std::string &out, const AxisOffset &offset) {
  bool first = true;
  for (const Term &term : offset.terms) {
    out += first ? "?" : " + ?";
    out += std::to_string(term.count) + "*" + std::to_string(term.multiplier);
    first = false;
  }
  if (first)
    out += std::to_string(offset.constant);
  else if (offset.constant > 0)
    out += " + " + std::to_string(offset.constant);
  else if (offset.constant < 0)
    out += " - " + std::to_string(-offset.constant);
}

std::string str(const std::vector<Mode> &replica) {
  std::string out = "[";
  for (size_t i = 0; i < replica.size(); ++i) {
    out += i > 0 ? ", " : "";
    printExtent(out, replica[i]);
    out += " : ";
    printStride(out, replica[i]);
  }
  return out + "]";
}

std::string Layout::str() const {
  std::string out = "[";
  for (unsigned dim = 0; dim < rank(); ++dim) {
    out += dim > 0 ? ", " : "";
    printExtent(out, parts.dims[dim]);
  }
  out += "] : [";
  for (unsigned dim = 0; dim < rank(); ++dim) {
    out += dim > 0 ? ", " : "";
    printStride(out, parts.dims[dim]);
  }
  out += "]";
  if (!parts.replica.empty())
    out += ", replica " + layout::str(parts.replica);
  bool first = true;
  for (Axis axis : {Axis::Lane, Axis::Col, Axis::Memory}) {
    if (offset(axis).isZero())
      continue;
    out += first ? ", offset [" : ", ";
    printOffset(out, offset(axis));
    printAxis(out, axis);
    first = false;
  }
  if (!first)
    out += "]";
  if (swizzle() != Swizzle::None)
    out += ", swizzle " + std::string(name(swizzle()));
  return out;
}

} // namespace layout
} // namespace tcgen05
