//===- SmemDescriptor.h - The 64 bits that name a source --------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shared-memory descriptor of Blackwell's tcgen05 instructions, as data:
// one table of fields, from which encoding, decoding, Python and the command
// line all work. Addresses and strides are stored in units of 16 bytes.
//
//   SmemDescriptor{0x400, 16, 128, Swizzle::None}.encode()
//     == 0x0000400800010040
//
// Hopper packs the same walk differently (swizzle in bits 62-63, no constant).
// Source: PTX ISA 9.1, "Shared memory descriptor" of tcgen05.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_LAYOUT_SMEMDESCRIPTOR_H
#define TCGEN05_LAYOUT_SMEMDESCRIPTOR_H

#include "tcgen05/Layout/Result.h"
#include "tcgen05/Layout/SmemWalk.h"
#include "tcgen05/Layout/Swizzle.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tcgen05 {
namespace layout {

/// A bit field of a 64-bit word.
struct Field {
  std::string_view name;
  unsigned lsb;
  unsigned width;
  std::string_view meaning;

  constexpr uint64_t mask() const { return (uint64_t(1) << width) - 1; }
  constexpr uint64_t extract(uint64_t word) const {
    return (word >> lsb) & mask();
  }
  constexpr bool fits(uint64_t value) const { return value <= mask(); }
  constexpr uint64_t insert(uint64_t value) const { return value << lsb; }
};

namespace smem_fields {
inline constexpr Field kStart{"start", 0, 14, "start address / 16"};
inline constexpr Field kReserved0{"reserved0", 14, 2, "0"};
inline constexpr Field kLdo{"ldo", 16, 14, "leading-dimension offset / 16"};
inline constexpr Field kReserved1{"reserved1", 30, 2, "0"};
inline constexpr Field kSdo{"sdo", 32, 14, "stride-dimension offset / 16"};
inline constexpr Field kConstant{"constant", 46, 3, "0b001"};
inline constexpr Field kBaseOffset{"base_offset", 49, 3, "base offset"};
inline constexpr Field kLdoMode{"ldo_mode", 52, 1, "0: ldo is relative"};
inline constexpr Field kReserved2{"reserved2", 53, 8, "0"};
inline constexpr Field kSwizzle{
    "swizzle", 61, 3,
    "0 none, 6 32B, 4 64B, 2 128B, 1 128B with 32-byte atoms"};
} // namespace smem_fields

/// All of them, from bit 0 to bit 63 without a gap.
inline constexpr std::array<Field, 10> kSmemDescriptorFields = {
    smem_fields::kStart,      smem_fields::kReserved0, smem_fields::kLdo,
    smem_fields::kReserved1,  smem_fields::kSdo,       smem_fields::kConstant,
    smem_fields::kBaseOffset, smem_fields::kLdoMode,   smem_fields::kReserved2,
    smem_fields::kSwizzle};

/// The hardware's code of a swizzle mode, and back. Codes 3, 5 and 7 are
/// invalid, code 1 (128B with 32-byte atoms) is no mode of this copy.
constexpr uint64_t swizzleCode(Swizzle swizzle) {
  constexpr uint64_t codes[] = {0, 6, 4, 2};
  return codes[mode(swizzle)];
}
std::optional<Swizzle> swizzleOfCode(uint64_t code);

/// The descriptor in bytes.
struct SmemDescriptor {
  int64_t start = 0;
  int64_t ldo = kUnobservedLdo;
  int64_t sdo = kUnobservedSdo;
  Swizzle swizzle = Swizzle::None;

  /// Fails if an address or stride is not a multiple of 16 below 2^18 bytes.
  Result<uint64_t> encode() const;
  /// Fails on anything that no copy of this project's uses: a missing
  /// constant, a base offset, absolute LDO, reserved bits, an invalid swizzle.
  static Result<SmemDescriptor> decode(uint64_t word);

  friend bool operator==(const SmemDescriptor &a, const SmemDescriptor &b) {
    return a.start == b.start && a.ldo == b.ldo && a.sdo == b.sdo &&
           a.swizzle == b.swizzle;
  }
};

} // namespace layout
} // namespace tcgen05

#endif // TCGEN05_LAYOUT_SMEMDESCRIPTOR_H
