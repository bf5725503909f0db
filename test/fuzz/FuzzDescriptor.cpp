//===- FuzzDescriptor.cpp - Descriptors and TMEM addresses ----------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bytes.h"

#include "tcgen05/Layout/SmemDescriptor.h"
#include "tcgen05/Layout/TmemAddress.h"

using namespace tcgen05::layout;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const fuzz::Second limit;
  fuzz::Bytes bytes(data, size);
  const auto word = static_cast<uint64_t>(bytes.word());
  if (const Result<SmemDescriptor> decoded = SmemDescriptor::decode(word)) {
    const Result<uint64_t> again = decoded->encode();
    fuzz::require(again && *again == word, "a descriptor encodes back");
  }
  SmemDescriptor descriptor;
  descriptor.start = bytes.number();
  descriptor.ldo = bytes.number();
  descriptor.sdo = bytes.number();
  descriptor.swizzle = static_cast<Swizzle>(bytes.below(4));
  if (const Result<uint64_t> encoded = descriptor.encode()) {
    const Result<SmemDescriptor> again = SmemDescriptor::decode(*encoded);
    fuzz::require(again && *again == descriptor, "a descriptor decodes back");
  }
  const auto address = static_cast<uint32_t>(bytes.word());
  if (const Result<TmemAddress> decoded = TmemAddress::decode(address)) {
    const Result<uint32_t> again = decoded->encode();
    fuzz::require(again && *again == address, "an address encodes back");
  }
  TmemAddress place;
  place.lane = bytes.number();
  place.col = bytes.number();
  if (const Result<uint32_t> encoded = place.encode()) {
    const Result<TmemAddress> again = TmemAddress::decode(*encoded);
    fuzz::require(again && *again == place, "an address decodes back");
  }
  return 0;
}
