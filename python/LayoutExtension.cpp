//===- LayoutExtension.cpp - The ground floor as a Python module ----------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The Python module `_layout`: layouts, swizzles, walks, descriptors, TMEM
// addresses and copy plans, as immutable values. It links the ground floor and
// nothing else, so that it is imported without MLIR in a millisecond. People
// import it as `mlir_tcgen05.layout`.
//
// Everything is decided below this file; here objects are converted
// (LayoutArguments.h), and errors raised.
//
//===----------------------------------------------------------------------===//

#include "LayoutAddresses.h"
#include "LayoutArguments.h"
#include "LayoutCp.h"
#include "LayoutParts.h"
#include "LayoutValue.h"

#include "tcgen05/Layout/Slice.h"

using namespace tcgen05::python;
using namespace tcgen05::layout;

/// Replicas that `place` is ready to list.
static constexpr int64_t kMaxListed = int64_t(1) << 16;

static nb::object extentOf(const Mode &mode) {
  if (mode.isLeaf())
    return nb::int_(mode.extent);
  nb::list list;
  for (const Mode &child : mode.children)
    list.append(extentOf(child));
  return nb::tuple(list);
}

static nb::object strideOf(const Mode &mode) {
  if (mode.isLeaf())
    return toPython(mode.stride);
  nb::list list;
  for (const Mode &child : mode.children)
    list.append(strideOf(child));
  return nb::tuple(list);
}

/// Axes in the order of the text.
static constexpr Axis kTextOrder[] = {Axis::Lane, Axis::Col, Axis::Memory};

static nb::tuple offsetOf(const Layout &layout, bool constants) {
  nb::list list;
  for (Axis axis : kTextOrder) {
    const AxisOffset &offset = layout.offset(axis);
    for (const Term &term : offset.terms)
      list.append(nb::cast(AxisTerm{term, axis}));
    if (constants && offset.constant != 0)
      list.append(toPython({offset.constant, axis}));
  }
  return nb::tuple(list);
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

/// The position on each axis of a coordinate, the replicas aside.
static std::array<int64_t, kNumAxes>
position(const Layout &layout, nb::handle coordinate, nb::handle terms) {
  const std::vector<int64_t> at = toInts(coordinate, "coord");
  if (at.size() != layout.rank())
    raise("expected coord to have " + std::to_string(layout.rank()) +
          " entries, but got " + std::to_string(at.size()));
  std::array<int64_t, kNumAxes> sum{};
  auto step = [&](const Leaf &leaf, int64_t &index) {
    sum[unsigned(leaf.stride.axis)] += index % leaf.extent * leaf.stride.value;
    index /= leaf.extent;
  };
  for (unsigned dim = 0; dim < layout.rank(); ++dim) {
    int64_t index = at[dim];
    if (index < 0 || index >= layout.size(dim))
      raise("expected coordinate " + std::to_string(dim) + " to be in 0 to " +
            std::to_string(layout.size(dim) - 1) + ", but got " +
            std::to_string(index));
    const std::vector<Leaf> leaves = layout.leaves(dim);
    for (auto leaf = leaves.rbegin(); leaf != leaves.rend(); ++leaf)
      step(*leaf, index);
  }
  const std::vector<int64_t> values = toInts(terms, "terms");
  size_t next = 0;
  for (Axis axis : kTextOrder) {
    sum[unsigned(axis)] += layout.offset(axis).constant;
    for (const Term &term : layout.offset(axis).terms) {
      const int64_t value = next < values.size() ? values[next] : 0;
      if (value < 0 || value >= term.count)
        raise("expected term " + std::to_string(next) + " to be in 0 to " +
              std::to_string(term.count - 1) + ", but got " +
              std::to_string(value));
      sum[unsigned(axis)] += value * term.multiplier;
      ++next;
    }
  }
  if (values.size() > next)
    raise("expected at most " + std::to_string(next) +
          " values of terms, but got " + std::to_string(values.size()));
  return sum;
}

static nb::list place(const Layout &layout, nb::handle coordinate,
                      nb::handle terms) {
  const std::array<int64_t, kNumAxes> first =
      position(layout, coordinate, terms);
  const bool tensor = layout.usesAxis(Axis::Lane) || layout.usesAxis(Axis::Col);
  const bool memory = layout.usesAxis(Axis::Memory);
  std::vector<std::array<int64_t, kNumAxes>> places = {first};
  for (const Leaf &leaf : layout.replicaLeaves()) {
    if (leaf.extent > kMaxListed / int64_t(places.size()))
      raise("expected at most " + std::to_string(kMaxListed) +
            " replicas to list, but got more");
    std::vector<std::array<int64_t, kNumAxes>> next;
    for (const auto &at : places)
      for (int64_t i = 0; i < leaf.extent; ++i) {
        next.push_back(at);
        next.back()[unsigned(leaf.stride.axis)] += i * leaf.stride.value;
      }
    places = std::move(next);
  }
  nb::list list;
  for (const auto &at : places) {
    const int64_t element = at[unsigned(Axis::Memory)];
    const int64_t lane = at[unsigned(Axis::Lane)];
    const int64_t col = at[unsigned(Axis::Col)];
    if (!tensor)
      list.append(element);
    else if (!memory)
      list.append(nb::make_tuple(lane, col));
    else
      list.append(nb::make_tuple(lane, col, element));
  }
  return list;
}

static Layout sliceOf(const Layout &layout, nb::handle origins,
                      nb::handle sizes) {
  std::vector<SliceOrigin> from;
  for (const nb::object &entry : toSequence(origins, "origins")) {
    const std::string what = "origin " + std::to_string(from.size());
    if (!isSequence(entry)) {
      from.push_back({toInt(entry, what), 0});
      continue;
    }
    const std::vector<int64_t> parts = toInts(entry, what);
    if (parts.empty() || parts.size() > 2)
      raise("expected " + what + " to be (times,) or (times, plus), but got " +
            std::to_string(parts.size()) + " values");
    if (parts[0] < 1)
      raise("expected the multiplier of " + what + " to be positive, but got " +
            std::to_string(parts[0]));
    from.push_back({parts.size() == 2 ? parts[1] : 0, parts[0]});
  }
  return unwrap(slice(layout, from, toInts(sizes, "sizes"))).layout;
}

static void bindLayout(nb::module_ &m) {
  nb::class_<Layout> layout(
      m, "Layout",
      "A function from a coordinate to one or more places.\n\n"
      "Args:\n"
      "    shape: an extent for each dimension, or a nested tuple of extents,\n"
      "        the last varying fastest.\n"
      "    strides: nested as the shape is. An int counts elements of memory,\n"
      "        `64 @ lane` and `1 @ col` (or the text '64@lane') lanes and\n"
      "        columns of tensor memory.\n"
      "    replica: (extent, stride) pairs, one for each mode of the copies.\n"
      "    offset: where coordinate zero lies, entries add up: an int, a "
      "stride,\n"
      "        a `Term`, or text such as '?6*512 + 64'.\n"
      "    swizzle: None, 32, 64, 128, '128B' or a `Swizzle`.\n\n"
      "Raises:\n"
      "    LayoutError: the layout is malformed.\n"
      "    TypeError: an argument is of a wrong type.\n\n"
      "Example:\n"
      "    Layout([(2, 32), 4], [(64 @ lane, 1 @ lane), 1 @ col],\n"
      "           replica=[(2, 32 @ lane)])");
  layout.def(
      "__init__",
      [](Layout *self, nb::handle shape, nb::handle strides, nb::handle replica,
         nb::handle offset, nb::handle swizzle) {
        Layout::Parts parts;
        parts.dims = toDims(shape, strides);
        parts.replica = toReplica(replica);
        for (const nb::object &entry : toSequence(offset, "offset"))
          addOffset(entry, parts.offset);
        parts.swizzle = toSwizzle(swizzle);
        new (self) Layout(unwrap(Layout::create(std::move(parts))));
      },
      nb::arg("shape").none(), nb::arg("strides").none(),
      nb::arg("replica").none() = nb::tuple(),
      nb::arg("offset").none() = nb::tuple(),
      nb::arg("swizzle").none() = nb::none(),
      nb::sig(
          "def __init__(self, shape: collections.abc.Sequence[typing.Any], "
          "strides: collections.abc.Sequence[typing.Any], "
          "replica: collections.abc.Sequence[typing.Any] = (), "
          "offset: collections.abc.Sequence[int | Stride | Term | str] = (), "
          "swizzle: int | str | Swizzle | None = None) -> None"));
  layout.def_static(
      "parse",
      [](nb::handle text) {
        return unwrap(Layout::parse(toText(text, "layout")));
      },
      nb::arg("text").none(), nb::sig("def parse(text: str) -> Layout"),
      "Reads the text of a layout: `[128, 4] : [1@lane, 1@col]`.\n\n"
      "Raises:\n"
      "    LayoutError: says what was expected, and where.");
  layout.def_prop_ro("rank", &Layout::rank, "The number of dimensions.");
  layout.def_prop_ro(
      "shape",
      [](const Layout &self) { return tupleOf(self.dims(), extentOf); },
      nb::sig("def shape(self) -> tuple[typing.Any, ...]"),
      "The extents as given, nested.");
  layout.def_prop_ro(
      "sizes",
      [](const Layout &self) {
        return tupleOf(self.shape(),
                       [](int64_t size) { return nb::int_(size); });
      },
      nb::sig("def sizes(self) -> tuple[int, ...]"),
      "The product of the extents of each dimension.");
  layout.def_prop_ro(
      "strides",
      [](const Layout &self) { return tupleOf(self.dims(), strideOf); },
      nb::sig("def strides(self) -> tuple[typing.Any, ...]"),
      "The strides, nested as the shape is.");
  layout.def_prop_ro(
      "replica",
      [](const Layout &self) {
        return tupleOf(self.replica(), [](const Mode &mode) {
          return nb::make_tuple(extentOf(mode), strideOf(mode));
        });
      },
      nb::sig("def replica(self) -> tuple[tuple[typing.Any, typing.Any], ...]"),
      "Pairs of extent and stride.");
  layout.def_prop_ro(
      "offset", [](const Layout &self) { return offsetOf(self, true); },
      nb::sig("def offset(self) -> tuple[int | Stride | Term, ...]"),
      "Terms and constants, lanes, then columns, then elements; entries add "
      "up.");
  layout.def_prop_ro(
      "terms", [](const Layout &self) { return offsetOf(self, false); },
      nb::sig("def terms(self) -> tuple[Term, ...]"),
      "The run-time terms of the offset, lanes, then columns, then elements.");
  layout.def_prop_ro("swizzle", &Layout::swizzle, "The swizzle mode.");
  layout.def(
      "place", &place, nb::arg("coord").none(),
      nb::arg("terms").none() = nb::tuple(),
      nb::sig("def place(self, coord: collections.abc.Sequence[int], "
              "terms: collections.abc.Sequence[int] = ()) -> list[typing.Any]"),
      "The places of a coordinate, one for each replica, before swizzling.\n\n"
      "Args:\n"
      "    coord: an index for each dimension.\n"
      "    terms: values of the run-time terms, in the order of `terms`;\n"
      "        missing ones are zero.\n\n"
      "Returns:\n"
      "    (lane, col) of tensor memory, or positions in elements of shared\n"
      "    memory; (lane, col, element) if the layout has both.\n\n"
      "Raises:\n"
      "    LayoutError: an index or a value is out of its bounds.");
  layout.def(
      "slice", &sliceOf, nb::arg("origins").none(), nb::arg("sizes").none(),
      nb::sig("def slice(self, origins: collections.abc.Sequence[int | "
              "tuple[int, ...]], sizes: collections.abc.Sequence[int]) -> "
              "Layout"),
      "The layout of a sub-region.\n\n"
      "Args:\n"
      "    origins: where the slice begins, for each dimension: an int, or\n"
      "        (times, plus) for plus + i * times with a run-time i.\n"
      "    sizes: the size of each dimension.\n\n"
      "Raises:\n"
      "    LayoutError: the slice leaves the region, or strides cannot "
      "express\n"
      "        it.");
  layout.def(
      "equivalent", &Layout::equivalent, nb::arg("other"),
      "True if both are the same function, replicas and placements as sets.");
  layout.def("__str__", &Layout::str);
  addValue(
      layout,
      [](const Layout &self) { return "Layout.parse('" + self.str() + "')"; },
      [](const Layout &self) {
        return nb::make_tuple(
            tupleOf(self.dims(), extentOf), tupleOf(self.dims(), strideOf),
            tupleOf(self.replica(),
                    [](const Mode &mode) {
                      return nb::make_tuple(extentOf(mode), strideOf(mode));
                    }),
            offsetOf(self, true), self.swizzle());
      });
}

NB_MODULE(_layout, m) {
  m.doc() = "The ground floor of mlir_tcgen05: layouts, walks, descriptors and "
            "copy plans, without MLIR.";

  // What a caller keeps until the interpreter ends is no fault of the module.
  nb::set_leak_warnings(false);

  PyObject *error = PyErr_NewExceptionWithDoc(
      "mlir_tcgen05.layout.LayoutError",
      "Something that is malformed or not legal.\n\n"
      "Attributes:\n"
      "    rule: the rule that was broken, such as C7; None for a malformed\n"
      "        value.\n"
      "    notes: what would have worked, a tuple of sentences.",
      PyExc_ValueError, nullptr);
  if (!error)
    throw nb::python_error();
  layoutErrorType() = error;
  nb::object type = nb::borrow(error);
  type.attr("rule") = nb::none();
  type.attr("notes") = nb::tuple();
  m.attr("LayoutError") = type;

  bindParts(m);
  bindLayout(m);
  bindWalk(m);
  bindDescriptor(m);
  bindTmemAddress(m);
  bindCp(m);
}
