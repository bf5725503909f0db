//===- SliceOrigin.cpp - Constants in the index of a slice ----------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SliceOrigin.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

#include <optional>

using namespace mlir;
using namespace tcgen05;
using layout::SliceOrigin;

/// Both in 64 bits, or nothing.
static std::optional<int64_t> times(int64_t a, int64_t b) {
  int64_t product;
  if (llvm::MulOverflow(a, b, product))
    return std::nullopt;
  return product;
}
static std::optional<int64_t> plus(int64_t a, int64_t b) {
  int64_t sum;
  if (llvm::AddOverflow(a, b, sum))
    return std::nullopt;
  return sum;
}

bool tcgen05::absorb(Value &index, SliceOrigin &origin) {
  auto constantOf = [](Value value) -> std::optional<int64_t> {
    llvm::APInt constant;
    if (!matchPattern(value, m_ConstantInt(&constant)))
      return std::nullopt;
    return constant.getSExtValue();
  };
  if (std::optional<int64_t> known = constantOf(index)) {
    auto product = times(*known, origin.multiplier);
    auto sum = product ? plus(origin.constant, *product) : std::nullopt;
    if (*known < 0 || !sum)
      return false;
    origin = {*sum, 0};
    index = {};
    return true;
  }
  Operation *op = index.getDefiningOp();
  if (!op || op->getNumOperands() != 2)
    return false;
  Value rest = op->getOperand(0);
  std::optional<int64_t> known = constantOf(op->getOperand(1));
  if (!known && isa<arith::AddIOp, arith::MulIOp>(op)) {
    known = constantOf(op->getOperand(0));
    rest = op->getOperand(1);
  }
  if (!known)
    return false;
  if (isa<arith::AddIOp>(op)) {
    auto product = times(*known, origin.multiplier);
    auto sum = product ? plus(origin.constant, *product) : std::nullopt;
    if (!sum || *sum < 0)
      return false;
    origin.constant = *sum;
    index = rest;
    return true;
  }
  if (isa<arith::ShLIOp>(op)) {
    if (*known < 0 || *known > 62)
      return false;
    known = int64_t(1) << *known;
  } else if (!isa<arith::MulIOp>(op)) {
    return false;
  }
  auto product = times(*known, origin.multiplier);
  if (*known < 1 || !product)
    return false;
  origin.multiplier = *product;
  index = rest;
  return true;
}
