//===- FuzzLayout.cpp - The text of layouts -------------------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bytes.h"

#include "tcgen05/Layout/Region.h"

using namespace tcgen05::layout;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const fuzz::Second limit;
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  const Result<Layout> layout = Layout::parse(text);
  if (!layout) {
    fuzz::require(!layout.error().message.empty(), "errors say something");
    return 0;
  }
  const std::string printed = layout->str();
  const Result<Layout> again = Layout::parse(printed);
  fuzz::require(again && *again == *layout, "the printed text reads back");
  fuzz::require(again->str() == printed, "printing is stable");
  fuzz::require(again->hash() == layout->hash(), "equal layouts hash alike");
  fuzz::require(layout->equivalentUpToOffset(*again), "equal is equivalent");
  for (Axis axis : {Axis::Memory, Axis::Lane, Axis::Col})
    fuzz::require(layout->minPosition(axis) <= layout->maxPosition(axis) &&
                      layout->minPosition(axis) >= -kMaxPosition &&
                      layout->maxPosition(axis) <= kMaxPosition,
                  "positions are bounded");
  for (unsigned dim = 0; dim < layout->rank(); ++dim) {
    int64_t size = 1;
    for (const Leaf &leaf : layout->coalesced(dim))
      size *= leaf.extent;
    fuzz::require(size == layout->size(dim), "merging keeps the size");
  }
  TmemRegion tmem;
  tmem.layout = *layout;
  SmemRegion smem;
  smem.layout = *layout;
  if (!tmem.check())
    (void)tmem.checkView();
  if (!smem.check()) {
    (void)smem.checkView();
    fuzz::require(smem.imageBytes() < int64_t(1) << 18, "images are bounded");
  }
  return 0;
}
