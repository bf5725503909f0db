//===- TmemAddress.cpp - Lane and column in 32 bits -----------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05/Layout/TmemAddress.h"

#include <optional>
#include <string>

using namespace tcgen05::layout;

static std::optional<Error> check(const TmemAddress &address) {
  if (address.lane < 0 || address.lane >= kLanes)
    return Error{"", "expected lane to be in 0 to 127, but got " +
                         std::to_string(address.lane)};
  if (address.col < 0 || address.col >= kColumns)
    return Error{"", "expected column to be in 0 to 511, but got " +
                         std::to_string(address.col)};
  return std::nullopt;
}

Result<uint32_t> TmemAddress::encode() const {
  if (auto error = check(*this))
    return *error;
  return static_cast<uint32_t>(displacement(lane, col));
}

Result<TmemAddress> TmemAddress::decode(uint32_t address) {
  TmemAddress result{laneOf(address), columnOf(address)};
  if (auto error = check(result))
    return *error;
  return result;
}
