//===- FuzzPlan.cpp - Plans of copies -------------------------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bytes.h"

#include "tcgen05/Layout/Cp/Plan.h"

using namespace tcgen05::layout;

static Mode leaf(int64_t extent, int64_t stride, Axis axis) {
  Mode mode;
  mode.extent = extent;
  mode.stride = {stride, axis};
  return mode;
}

/// The legal rows and words of an atom, or what the bytes say.
static void readAtom(fuzz::Bytes &bytes, const CpAtom &atom, bool memory,
                     Layout::Parts &parts) {
  const uint8_t kind = bytes.byte();
  if (kind > 250) {
    parts.dims.push_back(fuzz::readMode(bytes, memory));
    parts.dims.push_back(fuzz::readMode(bytes, memory));
    return;
  }
  const unsigned swizzle = mode(parts.swizzle);
  Mode rows, words;
  if (!memory) {
    rows.children = {
        leaf(atom.rows / atom.groupRows, atom.groupStride, Axis::Lane),
        leaf(atom.groupRows, atom.rowStride, Axis::Lane)};
    words = leaf(atom.words, 1, Axis::Col);
    if (atom.replicas > 1)
      parts.replica = {leaf(atom.replicas, atom.replicaStride, Axis::Lane)};
  } else {
    const int64_t block = atom.rows < 8 ? atom.rows : 8;
    rows.children = {leaf(atom.rows / block, bytes.number(), Axis::Memory),
                     leaf(block, 4 << swizzle, Axis::Memory)};
    words.children = {
        leaf(atom.words / 4, swizzle ? 4 : bytes.number(), Axis::Memory),
        leaf(4, 1, Axis::Memory)};
  }
  if (kind > 200) // one number is another
    (kind % 2 ? rows : words) = fuzz::readMode(bytes, memory);
  parts.dims.push_back(rows);
  parts.dims.push_back(words);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const fuzz::Second limit;
  fuzz::Bytes bytes(data, size);
  static const std::vector<CpOpcode> opcodes = allCpOpcodes();
  const CpOpcode &opcode = opcodes[static_cast<size_t>(bytes.below(36))];
  const auto scope = static_cast<CpScope>(bytes.below(10) % 5);
  Layout::Parts dstParts, srcParts;
  for (int64_t n = bytes.below(4); n > 0; --n) {
    dstParts.dims.push_back(fuzz::readMode(bytes, false));
    srcParts.dims.push_back(fuzz::readMode(bytes, true));
  }
  fuzz::readRest(bytes, false, dstParts);
  fuzz::readRest(bytes, true, srcParts);
  readAtom(bytes, opcode.atom, false, dstParts);
  readAtom(bytes, opcode.atom, true, srcParts);
  const Result<Layout> dstLayout = Layout::create(std::move(dstParts));
  const Result<Layout> srcLayout = Layout::create(std::move(srcParts));
  if (!dstLayout || !srcLayout)
    return 0;
  TmemRegion dst;
  dst.layout = *dstLayout;
  SmemRegion src;
  src.layout = *srcLayout;
  const uint8_t kind = bytes.byte();
  if (kind & 1)
    dst.columns = bytes.number();
  src.align = kind & 2 ? bytes.number() : 1024;
  if (kind & 4)
    src.storage = bytes.number();
  if (kind & 8)
    dst.bits = bytes.number();
  const Result<CpPlan> plan = planCp(opcode, dst, src, scope);
  const Result<CpPlan> slow =
      planCp(opcode, dst, src, scope, CpMatching::Points);
  fuzz::require(static_cast<bool>(plan) == static_cast<bool>(slow),
                "strides and points decide alike");
  if (!plan) {
    fuzz::require(plan.error().rule == slow.error().rule &&
                      plan.error().message == slow.error().message,
                  "strides and points say the same");
    return 0;
  }
  fuzz::require(plan->walk == slow->walk, "strides and points find one walk");
  const Result<std::vector<CpIssue>> issues = plan->issues();
  fuzz::require(issues &&
                    static_cast<int64_t>(issues->size()) == plan->numRepeats(),
                "a legal copy has its instructions");
  std::vector<int64_t> dstTerms, srcTerms, group;
  for (int64_t n = bytes.below(3); n > 0; --n) {
    dstTerms.push_back(bytes.number());
    srcTerms.push_back(bytes.number());
    group.push_back(bytes.number());
  }
  const auto taddr = static_cast<uint32_t>(bytes.number());
  const int64_t saddr = bytes.number();
  (void)plan->issues(dstTerms, srcTerms, group, taddr, saddr);
  return 0;
}
