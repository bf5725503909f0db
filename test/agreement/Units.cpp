//===- Units.cpp - Single inputs with known answers -----------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Units.h"

#include "tcgen05/Layout/Cp/Plan.h"
#include "tcgen05/Layout/Cp/Target.h"
#include "tcgen05/Layout/Layout.h"
#include "tcgen05/Layout/SmemDescriptor.h"

#include <set>

using namespace tcgen05::layout;

namespace agreement {
namespace {

Mode leaf(int64_t extent, int64_t stride, Axis axis = Axis::Memory) {
  Mode mode;
  mode.extent = extent;
  mode.stride = {stride, axis};
  return mode;
}

Mode wrapped(Mode mode, int times) {
  for (int i = 0; i < times; ++i) {
    Mode outer;
    outer.children = {mode};
    mode = outer;
  }
  return mode;
}

/// Layouts from their parts, and when two are equal.
void create(std::vector<std::string> &wrong) {
  const auto same = sameInto(wrong);
  const auto refused = refusedInto(wrong);
  if (Mode().extent != 1 || !Mode().isLeaf() || !(Mode().stride == Stride()))
    wrong.emplace_back("mode by default");
  Layout::Parts parts;
  refused("rank 0", Layout::create(parts),
          "expected layout to have at least one dimension");
  parts.dims.assign(17, leaf(1, 0));
  refused("rank 17", Layout::create(parts),
          "expected layout to have at most 16 dimensions, but got 17");
  parts.dims = {leaf(1, 0)};
  parts.replica.assign(17, leaf(1, 0));
  refused("17 replicas", Layout::create(parts),
          "expected at most 16 replica modes, but got 17");
  parts.replica.resize(16);
  if (!Layout::create(parts))
    wrong.emplace_back("16 replicas refused");
  parts.replica.clear();
  parts.offset[0].terms.assign(257, {2, 1});
  refused("257 terms", Layout::create(parts),
          "expected at most 256 terms in an offset, but got 257");
  parts.offset[0].terms[0].count = 1; // goes into the constant
  if (!Layout::create(parts))
    wrong.emplace_back("256 terms refused");
  parts.offset[0] = {};
  parts.dims = {wrapped(leaf(2, 1), 17)};
  refused("depth 17", Layout::create(parts),
          "expected nesting of at most 16 parentheses, but got 17");
  parts.dims = {wrapped(leaf(2, 1), 16)};
  if (!Layout::create(parts))
    wrong.emplace_back("depth 16 refused");
  for (int64_t extent : {int64_t(0), int64_t(-1), INT64_MIN}) {
    parts.dims = {leaf(extent, 1)};
    refused("extent", Layout::create(parts),
            "expected extent to be positive, but got " +
                std::to_string(extent));
  }
  constexpr int64_t far = int64_t(1) << 56;
  const std::string overflows = " to stay within 2^56, but it overflows";
  for (auto [extent, stride] : {std::pair<int64_t, int64_t>{2, far + 1},
                                {2, -far - 1},
                                {3, far},
                                {1, INT64_MIN},
                                {2, INT64_MIN},
                                {INT64_MAX, INT64_MAX},
                                {far + 2, -1}}) {
    parts.dims = {leaf(extent, stride)};
    refused("stride", Layout::create(parts),
            "expected stride times extent" + overflows);
  }
  for (auto [extent, stride] : {std::pair<int64_t, int64_t>{2, far},
                                {2, -far},
                                {1, INT64_MAX},
                                {far + 1, 1}}) {
    parts.dims = {leaf(extent, stride)};
    if (!Layout::create(parts))
      wrong.push_back("stride " + std::to_string(stride) + " refused");
  }
  parts.dims = {leaf(2, far), leaf(2, -far)};
  if (!Layout::create(parts))
    wrong.emplace_back("positions to both ends refused");
  parts.dims = {leaf(2, far), leaf(2, 1)};
  refused("sum", Layout::create(parts), "expected positions" + overflows);
  parts.dims = {leaf(2, -far), leaf(2, -1)};
  refused("sum", Layout::create(parts), "expected positions" + overflows);
  parts.dims = {leaf(2, far)};
  parts.replica = {leaf(2, 1)};
  refused("sum", Layout::create(parts), "expected positions" + overflows);
  parts.replica.clear();
  parts.dims = {leaf(2, far), leaf(2, 1, Axis::Col)};
  if (!Layout::create(parts))
    wrong.emplace_back("far on two axes refused");
  parts.dims = {leaf(int64_t(1) << 32, 0), leaf(int64_t(1) << 31, 0)};
  refused("product", Layout::create(parts),
          "expected the product of all extents to be below 2^63, but it "
          "overflows");
  parts.dims = {leaf(int64_t(1) << 32, 0)};
  parts.replica = {leaf(int64_t(1) << 31, 0)};
  refused("product", Layout::create(parts),
          "expected the product of all extents to be below 2^63, but it "
          "overflows");
  parts.replica.clear();
  parts.dims = {leaf(1, 0)};
  for (int64_t constant : {far + 1, -far - 1, INT64_MIN, INT64_MAX}) {
    parts.offset[0] = {constant, {}};
    refused("offset", Layout::create(parts), "expected offset" + overflows);
  }
  parts.offset[0] = {0, {{2, far + 1}}};
  refused("term", Layout::create(parts), "expected offset term" + overflows);
  parts.offset[0] = {0, {{2, INT64_MIN}}};
  refused("term", Layout::create(parts), "expected offset term" + overflows);
  parts.offset[0] = {0, {{-1, 1}}};
  refused("term", Layout::create(parts),
          "expected the number of values of an offset term to be positive, "
          "but got -1");
  parts.offset[0] = {far, {{2, 1}}};
  refused("term", Layout::create(parts), "expected positions" + overflows);
  refused("offset", Layout::parse("[2] : [1]")->withOffset(parts.offset),
          "expected positions" + overflows);

  // Placements: exact below a span of 2^20, and for equal terms at any span.
  auto contains = [&](const AxisOffset &outer, const AxisOffset &inner,
                      bool expected) {
    if (tcgen05::layout::contains(outer, inner) != expected)
      wrong.push_back("containment of offset " +
                      std::to_string(inner.constant));
  };
  contains({0, {{6, 4}}}, {8, {}}, true);
  contains({0, {{6, 4}}}, {20, {}}, true);
  contains({0, {{6, 4}}}, {24, {}}, false);
  contains({0, {{6, 4}}}, {-4, {}}, false);
  contains({0, {{6, 4}}}, {6, {}}, false);
  contains({0, {{2, 12}, {3, 4}}}, {0, {{6, 4}}}, true);
  contains({0, {{2, 13}, {3, 4}}}, {0, {{6, 4}}}, false);
  contains({20, {{6, -4}}}, {0, {{6, 4}}}, true);
  // Spans over several words of 64 bits.
  contains({0, {{5, 100}}}, {0, {{3, 200}}}, true);
  contains({0, {{5, 100}}}, {100, {{2, 300}}}, true);
  contains({0, {{5, 100}}}, {100, {{2, 200}}}, true);
  contains({0, {{5, 100}}}, {100, {{2, 164}}}, false);
  contains({0, {{5, 100}}}, {64, {}}, false);
  contains({0, {{64, 1}, {2, 64}}}, {0, {{128, 1}}}, true);
  contains({0, {{64, 1}, {2, 63}}}, {0, {{127, 1}}}, true);
  contains({0, {{64, 1}, {2, 65}}}, {0, {{128, 1}}}, false);
  contains({0, {{64, 1}, {2, 65}}}, {65, {{64, 1}}}, true);
  contains({0, {{64, 1}, {2, 65}}}, {64, {}}, false);
  contains({0, {{2, 64}, {2, 62}}}, {0, {{2, 63}}}, false);
  contains({0, {{2, 129}}}, {128, {}}, false);
  contains({0, {{1000, 3}}}, {1500, {}}, true);
  contains({0, {{1000, 3}}}, {1501, {}}, false);
  contains({0, {{1000, 3}}}, {2997, {}}, true);
  contains({0, {{7, 64}, {3, 1}}}, {128, {{2, 192}, {3, 1}}}, true);
  contains({0, {{7, 64}, {3, 1}}}, {128, {{2, 192}, {4, 1}}}, false);
  contains({0, {{int64_t(1) << 30, 1}}}, {0, {{int64_t(1) << 30, 1}}}, true);
  contains({0, {{int64_t(1) << 30, 1}}}, {1, {{int64_t(1) << 30, 1}}}, false);
  contains({0, {{int64_t(1) << 20, 1}}}, {7, {}}, true);
  contains({0, {{(int64_t(1) << 20) + 1, 1}}}, {7, {}}, false);

  // Replicas that are too many to list are equal if they are written alike.
  auto equivalent = [&](const char *a, const char *b, bool expected) {
    if (Layout::parse(a)->equivalent(*Layout::parse(b)) != expected)
      wrong.push_back(std::string(a) + " and " + b);
  };
  equivalent("[4] : [1@col], replica [2000 : 1@lane]",
             "[4] : [1@col], replica [2000 : 1@lane]", true);
  equivalent("[4] : [1@col], replica [2000 : 1@lane]",
             "[4] : [1@col], replica [(2, 1000) : (1000@lane, 1@lane)]", false);
  equivalent("[4] : [1@col], replica [64 : 64@lane, 32 : 1@lane]",
             "[4] : [1@col], replica [2048 : 1@lane]", false);
  equivalent("[4] : [1@col], replica [1024 : 1@lane]",
             "[4] : [1@col], replica [(2, 512) : (512@lane, 1@lane)]", true);
  equivalent("[4] : [1@col], replica [2000 : 1@lane]",
             "[4] : [1@col], replica [4 : 1@lane]", false);
  equivalent("[4] : [1@col], replica [4 : 1@lane]",
             "[4] : [1@col], replica [2000 : 1@lane]", false);
  // But each has a first one: 127 - 127 lanes here.
  const TmemDisplacement first = tmemOrigin(*Layout::parse(
      "[4] : [1@col], replica [128 : -1@lane, 16 : 4@col], offset [127@lane]"));
  if (!(first == TmemDisplacement{0, 0}))
    wrong.emplace_back("the first of 2048 replicas");
  equivalent("[4] : [1], replica [2 : 1]", "[4] : [1], replica [2 : 1@col]",
             false);
  equivalent("[4] : [1], replica [2 : -1], offset [1]",
             "[4] : [1], replica [2 : 1]", true);
  equivalent("[4, 1] : [1, 7]", "[4, 1] : [1, 8]", true);
  equivalent("[4] : [1]", "[4] : [1], swizzle 32B", false);
  equivalent("[4] : [1]", "[2, 2] : [2, 1]", false);
  // A stride of zero leads nowhere, on any axis and however often.
  equivalent("[4, 2] : [0@lane, 1@col]", "[4, 2] : [0@col, 1@col]", true);
  equivalent("[(2, 2), 2] : [(0@lane, 0@col), 1@col]",
             "[4, 2] : [0@col, 1@col]", true);
  equivalent("[2] : [1], replica [4611686018427387903 : 0]", "[2] : [1]", true);

  // Layouts that differ in one number, all of them different values.
  const char *different[] = {"[4] : [1]",
                             "[5] : [1]",
                             "[4] : [2]",
                             "[4] : [1@lane]",
                             "[4] : [1@col]",
                             "[4, 1] : [1, 1]",
                             "[4] : [1], offset [1]",
                             "[4] : [1], offset [1@col]",
                             "[4] : [1], offset [?2*1]",
                             "[4] : [1], offset [?3*1]",
                             "[4] : [1], offset [?2*2]",
                             "[4] : [1], replica [1 : 1]",
                             "[4] : [1], replica [4 : 1]",
                             "[(4, 4)] : [(1, 1)]",
                             "[4] : [1], swizzle 32B",
                             "[4] : [1], swizzle 64B"};
  std::set<size_t> hashes;
  for (const char *text : different) {
    hashes.insert(Layout::parse(text)->hash());
    for (const char *other : different)
      if ((*Layout::parse(text) == *Layout::parse(other)) != (text == other))
        wrong.push_back(std::string(text) + " == " + other);
  }
  if (*Layout::parse("[(4, 1)] : [(1, 1)]") == *Layout::parse("[4] : [1]") ||
      *Layout::parse("[(4)] : [(1)]") == *Layout::parse("[4] : [1]"))
    wrong.emplace_back("nested layouts that are equal to flat ones");
  if (hashes.size() != std::size(different))
    wrong.emplace_back("layouts with one hash");
  if (Layout::parse("[(4)] : [(1)]")->hash() !=
      Layout::parse("[(4)] : [(1)]")->hash())
    wrong.emplace_back("hash of equal layouts");
  const Result<Layout> swizzled =
      Layout::parse("[4] : [1]")->withSwizzle(Swizzle::B64);
  same("swizzle", swizzled ? swizzled->str() : "", "[4] : [1], swizzle 64B");
}

/// Defaults, descriptors, addresses and chips.
void values(std::vector<std::string> &wrong) {
  const auto same = sameInto(wrong);
  const auto refused = refusedInto(wrong);
  if (Stride().value != 0 || !AxisOffset().isZero() ||
      !(TmemDisplacement() == TmemDisplacement{0, 0}) ||
      !(TmemAddress() == TmemAddress{0, 0}))
    wrong.emplace_back("places by default");
  same("opcode by default", CpOpcode{kCpAtoms[1]}.str(),
       "cta_group::1.128x128b");
  // Ascending: the lane first, and nothing before itself.
  const TmemDisplacement places[] = {{0, 1}, {0, 2}, {1, 0}, {1, 1}};
  for (size_t i = 0; i < 4; ++i)
    for (size_t k = 0; k < 4; ++k)
      if ((places[i] < places[k]) != (i < k))
        wrong.emplace_back("order of displacements");
  for (const TmemAddress other : {TmemAddress{3, 4}, {5, 8}, {4, 5}})
    if (TmemAddress{3, 8} == other || !(other == other))
      wrong.emplace_back("equality of addresses");
  // Eight rows are one block: nothing tells how far the next one is.
  for (int64_t count : {4, 8, 9, 32})
    if (SmemWalk::observesSdo(count) != (count > 8))
      wrong.push_back("sdo of rows " + std::to_string(count));
  if (TmemRegion().bits != 32 || SmemRegion().bits != 32 ||
      TmemRegion().columns != 512 || SmemRegion().align != 16)
    wrong.emplace_back("regions by default");
  if (!(SmemDescriptor() == SmemDescriptor{0, 16, 0, Swizzle::None}) ||
      !(SmemWalk() == SmemWalk{16, 0, Swizzle::None}))
    wrong.emplace_back("what is not observed");
  const int64_t rows[] = {16, 32, 64, 128}, periods[] = {16, 256, 512, 1024};
  for (unsigned i = 0; i < 4; ++i)
    if (rowBytes(kSwizzles[i]) != rows[i] || period(kSwizzles[i]) != periods[i])
      wrong.emplace_back("sizes of a swizzle");
  same("golden", std::to_string(*SmemDescriptor{0x400, 16, 128}.encode()),
       std::to_string(0x0000400800010040));
  same("golden",
       std::to_string(*SmemDescriptor{0x420, 16, 1024, Swizzle::B128}.encode()),
       std::to_string(0x4000404000010042));
  refused("start", SmemDescriptor{8, 16, 0}.encode(),
          "expected descriptor field 'start' to be a multiple of 16 bytes "
          "below 262144, but got 8");
  refused("ldo", SmemDescriptor{0, -16, 0}.encode(),
          "expected descriptor field 'ldo' to be a multiple of 16 bytes below "
          "262144, but got -16");
  refused("sdo", SmemDescriptor{0, 16, 1 << 18}.encode(),
          "expected descriptor field 'sdo' to be a multiple of 16 bytes below "
          "262144, but got 262144");
  refused("constant", SmemDescriptor::decode(uint64_t(2) << 46),
          "expected descriptor field 'constant' to be 1, but got 2");
  refused("base offset",
          SmemDescriptor::decode(uint64_t(1) << 46 | uint64_t(5) << 49),
          "expected descriptor field 'base_offset' to be 0, but got 5");
  refused("swizzle",
          SmemDescriptor::decode(uint64_t(1) << 46 | uint64_t(1) << 61),
          "expected descriptor field 'swizzle' to be 0 (none), 6 (32B), 4 "
          "(64B) or 2 (128B), but got 1");
  refused("lane", TmemAddress{128, 0}.encode(),
          "expected lane to be in 0 to 127, but got 128");
  refused("column", TmemAddress{0, -1}.encode(),
          "expected column to be in 0 to 511, but got -1");
  refused("column", TmemAddress::decode(512),
          "expected column to be in 0 to 511, but got 512");
  same("walk", SmemWalk{32, 256, Swizzle::B32}.str(),
       "ldo = 32, sdo = 256, swizzle = 32B");

  const SmemDescriptor one = {16, 32, 48, Swizzle::B32};
  const SmemDescriptor others[] = {{32, 32, 48, Swizzle::B32},
                                   {16, 16, 48, Swizzle::B32},
                                   {16, 32, 64, Swizzle::B32},
                                   {16, 32, 48, Swizzle::B64}};
  const SmemWalk walk = {32, 48, Swizzle::B32};
  for (const SmemDescriptor &other : others) {
    if (one == other)
      wrong.emplace_back("equal descriptors");
    if (walk == SmemWalk{other.ldo, other.sdo, other.swizzle} &&
        other.start == 16)
      wrong.emplace_back("equal walks");
  }
  if (!(walk == SmemWalk{32, 48, Swizzle::B32}))
    wrong.emplace_back("unequal walks");
  for (const CpAtom &atom : kCpAtoms)
    same(atom.str(), atom.replicaStr(),
         atom.multicast.empty()              ? "none"
         : atom.shape == "32x128b"           ? "[4 : 32@lane]"
         : atom.multicast == "warpx2::01_23" ? "[2 : 32@lane]"
                                             : "[2 : 64@lane]");

  same("chips", cpTargetList(),
       "sm_100a, sm_100f, sm_101a, sm_101f, sm_103a, sm_103f, sm_107a, "
       "sm_107f, sm_110a, sm_110f");
  same("chips", cpTargetList(true),
       "sm_100a, sm_100f, sm_101a, sm_101f, sm_103a, sm_103f, sm_110a, "
       "sm_110f");
  for (const char *chip : {"sm_100", "sm_120a", "sm_90a", ""}) {
    const std::optional<Error> error = checkCpTarget(chip);
    same(chip, error ? error->rule + error->message : "",
         "C15expected a target with tcgen05.cp (" + cpTargetList() +
             "), but got " + chip);
  }
  if (checkCpTarget("sm_103a") || !findCpTarget("sm_103a")->llvmKnows)
    wrong.emplace_back("sm_103a");
}

} // namespace

std::vector<std::string> runUnits() {
  std::vector<std::string> wrong;
  create(wrong);
  values(wrong);
  for (const auto &more : {runTextUnits(), runOpcodeUnits(), runSliceUnits(),
                           runPlanUnits(), runIssueUnits()})
    wrong.insert(wrong.end(), more.begin(), more.end());
  return wrong;
}

} // namespace agreement
