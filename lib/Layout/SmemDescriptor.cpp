//===- SmemDescriptor.cpp - The 64 bits that name a source ----------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05/Layout/SmemDescriptor.h"

#include <string>

namespace tcgen05 {
namespace layout {

using namespace smem_fields;

/// The bit that says "this is a descriptor of Blackwell's".
static constexpr uint64_t kConstantValue = 0b001;

/// The table covers every bit once.
static constexpr bool coversAllBits() {
  unsigned next = 0;
  for (const Field &field : kSmemDescriptorFields) {
    if (field.lsb != next)
      return false;
    next += field.width;
  }
  return next == 64;
}
static_assert(coversAllBits(), "gaps or overlaps in the descriptor's fields");

std::optional<Swizzle> swizzleOfCode(uint64_t code) {
  for (Swizzle swizzle : kSwizzles)
    if (swizzleCode(swizzle) == code)
      return swizzle;
  return std::nullopt;
}

static std::string expected(const Field &field, const std::string &what,
                            const std::string &got) {
  return "expected descriptor field '" + std::string(field.name) + "' to be " +
         what + ", but got " + got;
}

/// A value in bytes as a field in units of 16 bytes.
static std::optional<Error> encodeBytes(const Field &field, int64_t bytes,
                                        uint64_t &word) {
  if (bytes < 0 || bytes % kChunkBytes != 0 ||
      !field.fits(static_cast<uint64_t>(bytes / kChunkBytes)))
    return Error{"", expected(field, "a multiple of 16 bytes below 262144",
                              std::to_string(bytes))};
  word |= field.insert(static_cast<uint64_t>(bytes / kChunkBytes));
  return std::nullopt;
}

Result<uint64_t> SmemDescriptor::encode() const {
  uint64_t word =
      kConstant.insert(kConstantValue) | kSwizzle.insert(swizzleCode(swizzle));
  if (auto error = encodeBytes(kStart, start, word))
    return *error;
  if (auto error = encodeBytes(kLdo, ldo, word))
    return *error;
  if (auto error = encodeBytes(kSdo, sdo, word))
    return *error;
  return word;
}

Result<SmemDescriptor> SmemDescriptor::decode(uint64_t word) {
  if (uint64_t constant = kConstant.extract(word); constant != kConstantValue)
    return Error{"", expected(kConstant, "1", std::to_string(constant))};
  for (const Field &field :
       {kReserved0, kReserved1, kBaseOffset, kLdoMode, kReserved2})
    if (uint64_t value = field.extract(word))
      return Error{"", expected(field, "0", std::to_string(value))};
  const uint64_t code = kSwizzle.extract(word);
  const std::optional<Swizzle> swizzle = swizzleOfCode(code);
  if (!swizzle)
    return Error{"",
                 expected(kSwizzle, "0 (none), 6 (32B), 4 (64B) or 2 (128B)",
                          std::to_string(code))};
  auto bytes = [&](const Field &field) {
    return static_cast<int64_t>(field.extract(word)) * kChunkBytes;
  };
  return SmemDescriptor{bytes(kStart), bytes(kLdo), bytes(kSdo), *swizzle};
}

} // namespace layout
} // namespace tcgen05
