//===- UnitsIssues.cpp - Instructions of plans ----------------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Units.h"
#include "UnitsCase.h"

#include "tcgen05/Layout/Cp/Plan.h"

using namespace tcgen05::layout;

namespace agreement {

static std::string textOf(const Result<std::vector<CpIssue>> &issues) {
  if (!issues)
    return issues.error().message;
  std::string text;
  for (const CpIssue &issue : *issues)
    text += std::to_string(issue.taddr) + ":" +
            std::to_string(issue.descriptor) + " ";
  return text;
}

std::vector<std::string> runIssueUnits() {
  std::vector<std::string> wrong;
  const auto same = sameInto(wrong);
  const Case ring = {"128x128b",
                     "[2, 32, 1, 128, 4] : [256@col, 8@col, 0@col, 1@lane, "
                     "1@col], offset [?2*4@col]",
                     "[2, 32, 1, 128, 4] : [512, 0, 0, 4, 1], offset [?2*1024]",
                     "",
                     512,
                     16,
                     0,
                     CpScope::Cta};
  const Result<CpPlan> plan = planOf(ring);
  if (!plan)
    return wrong.push_back(plan.error().message), wrong;
  const uint64_t base = uint64_t(128 / 16) << 32 | 1 << 16 | uint64_t(1) << 46;
  auto issue = [&](int64_t taddr, int64_t bytes) {
    return std::to_string(taddr) + ":" +
           std::to_string(base + static_cast<uint64_t>(bytes / 16)) + " ";
  };
  same("issues", textOf(plan->issues()), issue(0, 0));
  same("issues", textOf(plan->issues({1}, {1}, {1, 3}, 0, 0x400)),
       issue(4 + 256 + 24, 4096 + 2048 + 0x400));
  same("issues", textOf(plan->issues({}, {}, {}, 508, 262144 - 16)),
       issue(508, 262144 - 16));
  const struct {
    std::vector<int64_t> dst, src, group;
    uint32_t taddr;
    int64_t saddr;
    const char *message;
  } bad[] = {
      {{0, 0}, {}, {}, 0, 0, "expected at most 1 dst terms, but got 2"},
      {{}, {0, 0}, {}, 0, 0, "expected at most 1 src terms, but got 2"},
      {{},
       {},
       {0, 0, 0},
       0,
       0,
       "expected at most 2 group coordinates, but got 3"},
      {{2}, {}, {}, 0, 0, "expected dst term 0 to be in 0 to 1, but got 2"},
      {{-1}, {}, {}, 0, 0, "expected dst term 0 to be in 0 to 1, but got -1"},
      {{}, {2}, {}, 0, 0, "expected src term 0 to be in 0 to 1, but got 2"},
      {{},
       {},
       {0, 32},
       0,
       0,
       "expected group coordinate 1 to be in 0 to 31, but got 32"},
      {{},
       {},
       {-1},
       0,
       0,
       "expected group coordinate 0 to be in 0 to 1, but got -1"},
      {{},
       {},
       {},
       2,
       0,
       "expected taddr to be a column that is a multiple of 4 below 512, but "
       "got 2"},
      {{},
       {},
       {},
       512,
       0,
       "expected taddr to be a column that is a multiple of 4 below 512, but "
       "got 512"},
      {{},
       {},
       {},
       0,
       8,
       "expected saddr to be a multiple of 16 bytes below 262144, but got 8"},
      {{},
       {},
       {},
       0,
       -16,
       "expected saddr to be a multiple of 16 bytes below 262144, but got -16"},
      {{},
       {},
       {},
       0,
       INT64_MAX - 15,
       "expected saddr to be a multiple of 16 bytes below 262144, but got "
       "9223372036854775792"},
      {{},
       {},
       {},
       0,
       1 << 18,
       "expected saddr to be a multiple of 16 bytes below 262144, but got "
       "262144"},
      {{},
       {1},
       {},
       0,
       262144 - 16,
       "expected src addresses to stay below 262144, but got 266224"},
  };
  for (const auto &one : bad)
    same(
        one.message,
        textOf(plan->issues(one.dst, one.src, one.group, one.taddr, one.saddr)),
        one.message);

  // Terms count lanes before columns; replicas that go down start at the end.
  const Case both = {
      "32x128b.warpx4",
      "[32, 4] : [1@lane, 1@col], replica [4 : -32@lane], offset [96@lane, "
      "?3*8 + ?2*4@col]",
      "[32, 4] : [4, 1]", ""};
  const Case lanes = {"4x256b",
                      "[4, 8] : [32@lane, 1@col], offset [?5*2@lane, ?3*8@col]",
                      "[4, (2, 4)] : [4, (16, 1)]",
                      "",
                      512,
                      16,
                      192};
  same("terms", std::to_string((*planOf(both)->issues({2, 1}))[0].taddr), "20");
  same("terms", std::to_string((*planOf(lanes)->issues({3, 2}))[0].taddr),
       std::to_string(6 * 65536 + 16));
  same("terms", textOf(planOf(lanes)->issues({5})),
       "expected dst term 0 to be in 0 to 4, but got 5");
  same("terms", textOf(planOf(lanes)->issues({4, 3})),
       "expected dst term 1 to be in 0 to 2, but got 3");
  same("terms", textOf(planOf(both)->issues({2, 2})),
       "expected dst term 1 to be in 0 to 1, but got 2");
  same("origin", std::to_string(planOf(both)->origin.lane), "0");
  // The second repeat reads from the first byte that is none.
  const Case steps = {"128x128b", "[2, 128, 4] : [4@col, 1@lane, 1@col]",
                      "[2, 128, 4] : [4, 4, 1]", ""};
  same("addresses", textOf(planOf(steps)->issues({}, {}, {}, 0, 262144 - 32)),
       issue(0, 262144 - 32) + issue(4, 262144 - 16));
  same("addresses", textOf(planOf(steps)->issues({}, {}, {}, 0, 262144 - 16)),
       "expected src addresses to stay below 262144, but got 262144");
  if (!(plan->group(1, 5) == CpOffset{0, 40, 0}))
    wrong.emplace_back("group displacement");
  if (CpIssue{1, 2} == CpIssue{1, 3} || CpIssue{1, 2} == CpIssue{2, 2} ||
      !(CpIssue{1, 2} == CpIssue{1, 2}))
    wrong.emplace_back("equality of issues");
  for (CpOffset other : {CpOffset{1, 2, 4}, {1, 3, 3}, {2, 2, 3}})
    if (other == CpOffset{1, 2, 3})
      wrong.emplace_back("equal displacements");

  TmemRegion view =
      dstOf({"", "[128, 4] : [1@lane, 1@col], offset [12@col]", kS, ""});
  view.columns = 8;
  same("view", view.checkView() ? view.checkView()->message : "",
       "expected image to stay within 8 columns, but got columns 12 to 15");
  view.layout = *Layout::parse("[128, 4] : [1@lane, 1@col], offset [-1@lane]");
  same("view", view.checkView() ? view.checkView()->message : "",
       "expected image to stay within 128 lanes, but got lanes -1 to 126");
  SmemRegion low = srcOf({"", kT, "[128, 4] : [4, 1], offset [-1]", ""});
  same("view", low.checkView() ? low.checkView()->message : "",
       "expected image to start at byte 0 or later, but got byte -4");
  // Bytes 896 and 1009 of a line whose number is 7: its chunks change places,
  // the first with the last.
  SmemRegion bytes;
  bytes.layout = *Layout::parse("[2] : [113], offset [896], swizzle 128B");
  bytes.bits = 8;
  same("image", std::to_string(bytes.imageBytes()),
       std::to_string(896 + 7 * 16 + 1));
  low.layout = *Layout::parse("[128, 4] : [4, 1], offset [?2*4]");
  same("view", low.checkView() ? low.checkView()->message : "",
       "expected the layout of a view to have no run-time terms, but got "
       "[128, 4] : [4, 1], offset [?2*4]");
  return wrong;
}

} // namespace agreement
