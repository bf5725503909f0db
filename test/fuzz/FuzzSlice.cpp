//===- FuzzSlice.cpp - Slices, casts and placements -----------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bytes.h"

#include "tcgen05/Layout/Slice.h"

using namespace tcgen05::layout;

static std::optional<Layout> readLayout(fuzz::Bytes &bytes) {
  Layout::Parts parts;
  const bool memory = bytes.byte() % 2;
  for (int64_t n = 1 + bytes.below(4); n > 0; --n)
    parts.dims.push_back(fuzz::readMode(bytes, memory));
  fuzz::readRest(bytes, memory, parts);
  Result<Layout> layout = Layout::create(std::move(parts));
  if (!layout)
    return std::nullopt;
  return *layout;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const fuzz::Second limit;
  fuzz::Bytes bytes(data, size);
  const std::optional<Layout> layout = readLayout(bytes);
  if (!layout)
    return 0;
  std::vector<SliceOrigin> origins;
  std::vector<int64_t> sizes;
  for (unsigned dim = 0; dim < layout->rank(); ++dim) {
    SliceOrigin origin;
    const uint8_t kind = bytes.byte();
    origin.constant = kind % 2 ? bytes.number() : 0;
    origin.multiplier = kind % 4 < 2 ? 0 : bytes.number();
    origins.push_back(origin);
    sizes.push_back(kind % 8 < 4 ? 1
                    : kind < 64  ? layout->size(dim)
                                 : bytes.number());
  }
  const Result<Slice> result = slice(*layout, origins, sizes);
  if (result) {
    fuzz::require(result->layout.shape() == sizes, "a slice has its sizes");
    for (Axis axis : {Axis::Memory, Axis::Lane, Axis::Col})
      fuzz::require(
          result->layout.minPosition(axis) >= layout->minPosition(axis) &&
              result->layout.maxPosition(axis) <= layout->maxPosition(axis),
          "a slice lies inside of its region");
    (void)layout->containsPlacements(result->layout);
  }
  if (const std::optional<Layout> other = readLayout(bytes)) {
    const bool equal = layout->equivalent(*other);
    fuzz::require(equal == other->equivalent(*layout),
                  "equivalence is symmetric");
    fuzz::require(!equal || layout->equivalentUpToOffset(*other),
                  "equivalent layouts are so up to the offset");
  }
  return 0;
}
