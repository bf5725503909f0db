//===- Values.h - What is known about values --------------------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three questions about a value, each answered once and kept:
//
//   info(%v)     who computes different values of it, and in which range
//   number(%v)   equal for values that are the same pure function of the same
//                operands, so that two branches on "thread id == 0" agree
//   address(%v)  the buffer that it points into and by how many bytes, or for
//                tensor memory the allocation and lane << 16 | column
//
// `address` walks from a use to the buffer's name: through views, slices,
// pointer arithmetic, memref operations and the arithmetic of descriptors.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_LIB_ANALYSIS_VALUES_H
#define TCGEN05_LIB_ANALYSIS_VALUES_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace tcgen05 {
namespace check {

/// What a value may differ by. `Lane`: it differs between the threads of a
/// warp; `MaybeLane`: whether it does is not known. A finding that needs a
/// value to differ looks at kLane alone, one that needs it to be the same at
/// both. `Awaited`: it is computed from what a wait on an mbarrier returned.
/// `Elected`: from elect.sync.
enum Varies : uint8_t {
  kLane = 1,
  kWarp = 2,
  kCta = 4,
  kLoop = 8,
  kOpaque = 16,
  kAwaited = 32,
  kElected = 64,
  kMaybeLane = 128
};
inline constexpr uint8_t kAnyLane = kLane | kMaybeLane;
inline constexpr uint8_t kThread = kAnyLane | kWarp | kElected;

inline constexpr int64_t kUnbounded = int64_t(1) << 60;

/// A closed range of integers, clamped to +-kUnbounded.
struct Interval {
  int64_t lo = -kUnbounded, hi = kUnbounded;
  static Interval of(int64_t value) { return {value, value}; }
  bool isKnown() const { return lo > -kUnbounded && hi < kUnbounded; }
  bool isConstant() const { return lo == hi; }
  bool overlaps(Interval other) const {
    return lo <= other.hi && other.lo <= hi;
  }
};
Interval operator+(Interval a, Interval b);
Interval operator*(Interval a, Interval b);

struct ValueInfo {
  uint8_t varies = 0;
  Interval range;
  uint32_t number = 0;
  /// Numbers of the arguments and opaque values that it is computed from.
  llvm::SmallVector<uint32_t, 2> leaves;
};

/// A place in memory; of a region, the place of its view. Without a root
/// nothing is known.
struct Address {
  /// Equal roots are one buffer, allocation or pointer; 0 is none.
  uint32_t root = 0;
  /// The offset from the root, everything included.
  Interval offset = Interval::of(0);
  /// The part of it that is the same in every thread and round.
  int64_t constant = 0;
  /// Numbers of the other addends, but for those that only the thread decides.
  llvm::SmallVector<uint32_t, 2> terms;
  /// Differs between threads of a warp.
  bool perLane = false;
  /// The offset was lost (in a descriptor, say).
  bool inexact = false;
  /// The root is a buffer of its own: no other root is the same memory.
  bool named = false;

  explicit operator bool() const { return root != 0; }
  /// Addresses wrap around.
  void move(int64_t bytes) {
    offset = offset + Interval::of(bytes);
    constant = static_cast<int64_t>(uint64_t(constant) + uint64_t(bytes));
  }
};

/// The innermost loop-free knowledge that an analysis needs of a function: its
/// entry block, whose arguments do not change, and the number of its threads.
struct Launch {
  mlir::Block *entry = nullptr;
  /// Threads in each dimension; 0 if unknown.
  int64_t block[3] = {0, 0, 0};
  /// The launch has exactly these dimensions, and ptxas is told so.
  bool required = false;
  /// In all; 0 if unknown.
  int64_t threads() const {
    return (Interval::of(block[0]) * Interval::of(block[1]) *
            Interval::of(block[2]))
        .hi;
  }
  bool isOneDimensional() const {
    return required && block[0] && block[1] == 1 && block[2] == 1;
  }
};

class Values {
public:
  explicit Values(const Launch &launch) : launch(launch) {}

  const ValueInfo &info(mlir::Value value);
  Address address(mlir::Value value);
  /// The allocation whose address an instruction wrote to `slot`.
  uint32_t allocationRoot(const Address &slot);
  std::optional<int64_t> constant(mlir::Value value);
  /// Moves `base` by `value * scale`.
  void addTerm(Address &base, mlir::Value value, int64_t scale);

private:
  ValueInfo compute(mlir::Value value);
  ValueInfo computeOp(mlir::Operation *op, mlir::Value value);
  Address computeAddress(mlir::Value value, unsigned depth);
  Address addressOfOp(mlir::Operation *op, mlir::Value value, unsigned depth);
  uint32_t numberOf(const std::vector<uint64_t> &key);
  uint32_t rootOf(const void *name, uint64_t kind);

  const Launch &launch;
  llvm::DenseMap<mlir::Value, ValueInfo> infos;
  llvm::DenseMap<mlir::Value, Address> addresses;
  std::map<std::vector<uint64_t>, uint32_t> numbers;
};

/// Bytes of a type in memory, if it has a fixed size.
std::optional<int64_t> sizeInBytes(mlir::Type type);
/// A stride of elements of `size` bytes in bytes, unless it is only known at
/// run time.
std::optional<int64_t> strideInBytes(int64_t stride, int64_t size);
/// A pointer or memref in shared memory.
bool isSharedMemory(mlir::Type type);
/// The number behind casts, which keep those of threads.
mlir::Value throughCasts(mlir::Value value);
/// The thread's x, through casts.
bool isThreadId(mlir::Value value);

} // namespace check
} // namespace tcgen05

#endif // TCGEN05_LIB_ANALYSIS_VALUES_H
