//===- UnitsPlan.cpp - Sentences and notes of plans -----------------------===//
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
namespace {

std::string saidAbout(const Result<CpPlan> &plan) {
  if (plan)
    return "legal " + plan->walk.str();
  std::string text = plan.error().rule + " " + plan.error().message;
  for (const std::string &note : plan.error().notes)
    text += "|" + note;
  return text;
}

const Case kCases[] = {
    {"128x128b", kT, kS, "legal ldo = 16, sdo = 128, swizzle = none"},
    {"128x256b", "[128, 8] : [1@lane, 1@col]", "[128, (2, 4)] : [4, (512, 1)]",
     "legal ldo = 2048, sdo = 128, swizzle = none"},
    // Types.
    {"128x128b", kT, kS,
     " expected columns to be a multiple of 4 from 4 to 512, but got 6", 6},
    {"128x128b", kT, kS,
     " expected align to be a power of two of at least 16 bytes, but got 48",
     512, 48},
    {"128x128b", kT, kS,
     " expected storage to be from 1 to 262143 bytes, but got 262144", 512, 16,
     1 << 18},
    {"128x128b", kT, kS,
     " expected storage to be from 1 to 262143 bytes, but got -1", 512, 16, -1},
    {"128x128b", kT, "[128, 4] : [4, 1], offset [65024]",
     " expected the image to end below 262144 bytes, but got 262144"},
    {"128x128b", kS, kS,
     " expected axes of a tmem layout to be lane and col, but got memory"
     "|write 1@lane or 1@col"},
    {"128x128b", kT, kT,
     " expected axis of an smem layout to be memory, but got lane"},
    {"128x128b", kT, "[128, 4] : [4, 1], replica [2 : 8]",
     " expected no replica in an smem layout, but got [2 : 8]"},
    {"128x128b", "[128, 4] : [1@lane, 1@col], swizzle 64B", kS,
     " expected no swizzle in a tmem layout, but got 64B"},
    {"128x128b", kT, kS,
     " expected elements of 8, 16, 32 or 64 bits, but got 24 bits", 512, 16, 0,
     CpScope::Thread, 24},
    // Elements, shapes and axes.
    {"128x128b", kT, kS,
     "C2 expected dst elements of 32 bits, but got 'bf16'"
     "|view the same bytes as 32-bit words",
     512, 16, 0, CpScope::Thread, 16, "bf16"},
    {"128x128b", kT, kS,
     "C2 expected dst elements of 32 bits, but got 64 bits"
     "|view the same bytes as 32-bit words",
     512, 16, 0, CpScope::Thread, 64},
    {"128x128b", kT, "[128, 8] : [8, 1]",
     "C3 expected src to end in (128, 4) for 128x128b, but got (128, 8)"
     "|this shape is that of 128x256b"},
    {"128x128b", "[3, 64, 4] : [4@col, 1@lane, 1@col]", kS,
     "C3 expected dst to end in (128, 4) for 128x128b, but got (64, 4)"
     "|this shape is that of 64x128b.warpx2::02_13"
     "|this shape is that of 64x128b.warpx2::01_23"},
    {"128x128b", "[4] : [1@col]", kS,
     "C3 expected dst to end in (128, 4) for 128x128b, but got (4)"},
    {"128x128b", "[4, 128, 4] : [4@col, 1@lane, 1@col]",
     "[2, 128, 4] : [512, 4, 1]",
     "C4 expected src repeat extents (4), but got (2)"},
    {"128x128b", "[1, 1, 2, 128, 4] : [0@col, 0@col, 4@col, 1@lane, 1@col]",
     "[1, 2, 128, 4] : [7, 512, 4, 1]",
     "legal ldo = 16, sdo = 128, swizzle = none"},
    {"128x128b", kT, kS,
     "C4 expected dst to lead with group axes (warp in group, lane) for scope "
     "warpgroup, but got shape (128, 4)",
     512, 16, 0, CpScope::WarpGroup},
    {"128x128b", "[2, 128, 4] : [4@col, 1@lane, 1@col]",
     "[2, 128, 4] : [4, 4, 1]",
     "C4 expected dst lane axis to be 1 or 32 long, but got 2", 512, 16, 0,
     CpScope::Warp},
    {"128x128b", "[2, 128, 4] : [4@col, 1@lane, 1@col]",
     "[32, 128, 4] : [4, 4, 1]",
     "C4 expected dst lane axis to be 1 or 32 long, but got 2", 512, 16, 0,
     CpScope::Warp},
    {"128x128b", "[32, 128, 4] : [4@col, 1@lane, 1@col]",
     "[2, 128, 4] : [4, 4, 1]",
     "C4 expected src lane axis to be 1 or 32 long, but got 2", 512, 16, 0,
     CpScope::Warp},
    {"128x128b", "[2, 1, 128, 4] : [4@col, 0@col, 1@lane, 1@col]",
     "[2, 1, 128, 4] : [4, 0, 4, 1]",
     "C4 expected dst warp in group axis to be 1 or 4 long, but got 2", 512, 16,
     0, CpScope::WarpGroup},
    {"128x128b", "[2, 1, 128, 4] : [4@col, 0@col, 1@lane, 1@col]",
     "[3, 1, 128, 4] : [4, 0, 4, 1]",
     "C4 expected src group extents (2, 1), but got (3, 1)", 512, 16, 0,
     CpScope::Cta},
    // The destination.
    {"32x128b.warpx4", "[32, 4] : [1@lane, 1@col]", "[32, 4] : [4, 1]",
     "C5 expected dst replica [4 : 32@lane] for warpx4, but got none"},
    {"128x128b", "[128, 4] : [1@lane, 1@col], replica [2 : 64@lane]", kS,
     "C5 expected no dst replica for 128x128b, but got [2 : 64@lane]"
     "|this replica is that of 64x128b.warpx2::02_13"},
    {"64x128b.warpx2::01_23",
     "[64, 4] : [1@lane, 1@col], replica [2 : 32@lane]", "[64, 4] : [4, 1]",
     "C6 expected dst row 32 in lane 64 for 64x128b.warpx2::01_23, but got "
     "lane 32|this mapping is 64x128b.warpx2::02_13"},
    {"128x128b", "[128, 4] : [1@lane, 2@col], offset [8@col]", kS,
     "C6 expected dst row 0, word 1 in column 9 for 128x128b, but got column "
     "10"},
    {"128x128b", "[128, (2, 2)] : [1@lane, (1@lane, 1@col)]", kS,
     "C6 expected dst row 0, word 2 in lane 0 for 128x128b, but got lane 1"},
    {"128x128b", "[128, 4] : [1@lane, 1@col], offset [6@col]", kS,
     "C7 expected dst column origin to be a multiple of 4, but got 6"
     "|the nearest legal columns are 4 and 8"},
    {"128x128b", "[128, 4] : [1@lane, 1@col], offset [-6@col]", kS,
     "C7 expected dst column origin to be a multiple of 4, but got -6"
     "|the nearest legal column is 0"},
    // Of 16 columns a copy of four words starts at 12 at the most.
    {"128x128b", "[128, 4] : [1@lane, 1@col], offset [14@col]", kS,
     "C7 expected dst column origin to be a multiple of 4, but got 14"
     "|the nearest legal column is 12",
     16},
    {"128x128b", "[128, 4] : [1@lane, 1@col], offset [2@col]", kS,
     "C7 expected dst column origin to be a multiple of 4, but got 2"
     "|the nearest legal column is 0",
     4},
    {"128x256b", "[128, 8] : [1@lane, 1@col], offset [2@col]",
     "[128, 8] : [8, 1]",
     "C7 expected dst column origin to be a multiple of 4, but got 2", 4},
    {"128x128b", "[128, 4] : [1@lane, 1@col], offset [?3*6 + 8@col]", kS,
     "C7 expected dst column origin to be a multiple of 4, but got 14 for a "
     "column origin of 8 + 6 * 1|the nearest legal columns are 12 and 16"},
    {"128x128b", "[128, 4] : [1@lane, 1@col], offset [?3*512 + 8@col]", kS,
     "C8 expected dst to stay within 512 columns, but got columns 520 to 523 "
     "for stage 1"},
    {"128x128b", "[128, 4] : [1@lane, 1@col], offset [?2*-1024 + 600@col]", kS,
     "C8 expected dst to stay within 512 columns, but got columns 600 to 603 "
     "for stage 0"},
    {"128x128b", "[128, 4] : [1@lane, 1@col], offset [?2*1024 - 400@col]", kS,
     "C8 expected dst to stay within 512 columns, but got columns -400 to "
     "-397 for stage 0"},
    {"128x128b", "[128, 4] : [1@lane, 1@col], offset [?3*512 + ?2*4 + 8@col]",
     kS,
     "C8 expected dst to stay within 512 columns, but got columns 520 to 523 "
     "for stages (1, 0)"},
    {"128x128b", "[2, 128, 4] : [4@col, 1@lane, 1@col], offset [508@col]",
     "[2, 128, 4] : [512, 4, 1]",
     "C8 expected dst to stay within 512 columns, but got columns 512 to 515 "
     "for repeat (1)"},
    {"128x128b", "[128, 4] : [1@lane, 1@col], offset [-4@col]", kS,
     "C8 expected dst to stay within 512 columns, but got columns -4 to -1"},
    {"128x128b", "[2, 128, 4] : [4@col, 1@lane, 1@col], offset [-4@col]",
     "[2, 128, 4] : [512, 4, 1]",
     "C8 expected dst to stay within 512 columns, but got columns -4 to -1"},
    {"128x128b", kT, kS, "legal ldo = 16, sdo = 128, swizzle = none", 4},
    {"128x128b", "[128, 4] : [1@lane, 1@col], offset [4@col]", kS,
     "C8 expected dst to stay within 4 columns, but got columns 4 to 7", 4},
    {"128x128b", "[128, 4] : [1@lane, 1@col], offset [1@lane]", kS,
     "C8 expected dst to stay within 128 lanes, but got lanes 1 to 128"},
    {"4x256b", "[4, 8] : [32@lane, 1@col], offset [?33*1@lane]",
     "[4, 8] : [8, 1], swizzle 32B",
     "C8 expected dst to stay within 128 lanes, but got lanes 32 to 128 for "
     "stage 32",
     512, 256},
    {"128x128b", "[2, 128, 4] : [0@col, 1@lane, 1@col], offset [4@col]",
     "[2, 128, 4] : [512, 4, 1]",
     "C9 expected repeats to write distinct cells, but repeats (0) and (1) "
     "both write lane 0, column 4"
     "|copies are not ordered among each other"},
    {"128x256b", "[2, 128, 8] : [4@col, 1@lane, 1@col]",
     "[2, 128, 8] : [1024, 8, 1], swizzle 32B",
     "C9 expected repeats to write distinct cells, but repeats (0) and (1) "
     "both write lane 0, column 4"
     "|copies are not ordered among each other",
     512, 256},
    {"128x128b", "[2, 32, 2, 128, 4] : [4@col, 8@col, 0@col, 1@lane, 1@col]",
     "[2, 32, 2, 128, 4] : [0, 0, 0, 4, 1]",
     "C9 expected group members and repeats to write distinct cells, but warp "
     "0, lane 0, repeat (0) and warp 0, lane 0, repeat (1) both write lane 0, "
     "column 0|copies are not ordered among each other",
     512, 16, 0, CpScope::Cta},
    {"128x128b", "[32, 128, 4] : [0@col, 1@lane, 1@col]",
     "[32, 128, 4] : [0, 4, 1]",
     "C9 expected group members and repeats to write distinct cells, but lane "
     "0 and lane 1 both write lane 0, column 0"
     "|copies are not ordered among each other",
     512, 16, 0, CpScope::Warp},
    {"128x128b", "[9, 1, 1, 128, 4] : [0@col, 0@col, 0@col, 1@lane, 1@col]",
     "[9, 1, 1, 128, 4] : [0, 0, 0, 4, 1]",
     "legal ldo = 16, sdo = 128, swizzle = none", 512, 16, 0, CpScope::Cluster},
    // The source.
    {"128x128b", kT, "[(16, 8), 4] : [(50, 4), 1]",
     "C11 expected src row-group stride to be a multiple of 16 bytes, but got "
     "200"},
    {"128x128b", kT, "[(8, 2, 8), 4] : [(64, 40, 4), 1]",
     "C10 expected src row 16, word 0 at byte 320, but got 256"
     "|the walk that was read off: ldo = 16, sdo = 160, swizzle = none"},
    {"128x128b", kT, "[(16, 8), 4] : [(0, 64), 16]",
     "C10 expected src row 0, word 1 at byte 4, but got 64"
     "|the walk that was read off: ldo = 16, sdo = 0, swizzle = none"},
    {"4x256b", "[4, 8] : [32@lane, 1@col]", "[4, 8] : [128, 16], swizzle 32B",
     "C10 expected src row 0, word 1 at byte 4, but got 64"
     "|the walk that was read off: ldo = 16, sdo = 0, swizzle = 32B",
     512, 256},
    // Words 4 to 7 lie at 576, which the XOR takes to 512: a walk of no mode.
    {"4x256b", "[4, 8] : [32@lane, 1@col]",
     "[4, (2, 4)] : [4, (144, 1)], swizzle 128B",
     "legal ldo = 512, sdo = 0, swizzle = none", 512, 1024, 1024},
    {"128x128b", kT, "[128, 4] : [8, 1], offset [4]",
     "C10 expected src row 1, word 0 at byte 32, but got 48"
     "|the walk that was read off: ldo = 16, sdo = 256, swizzle = none"
     "|these strides are a walk with swizzle 32B"},
    {"128x128b", kT, "[128, 4] : [16, 1], offset [32]",
     "C10 expected src row 1, word 0 at byte 144, but got 192"
     "|the walk that was read off: ldo = 16, sdo = 512, swizzle = none"
     "|these strides are a walk with swizzle 64B"},
    {"128x128b", kT, "[(16, 8), 4] : [(-32, 4), 1], offset [480]",
     "C11 expected src row-group stride to be in 0 to 262128 bytes, but got "
     "-128"},
    {"128x256b", "[128, 8] : [1@lane, 1@col]",
     "[128, (2, 4)] : [4, (-512, 1)], offset [512]",
     "C11 expected src word-group stride to be in 0 to 262128 bytes, but got "
     "-2048"},
    {"128x128b", kT, "[(16, 8), 4] : [(65536, 4), 1]",
     "C11 expected src row-group stride to be in 0 to 262128 bytes, but got "
     "262144",
     512, 16, 4096},
    {"128x128b", kT, "[(16, 8), 4] : [(65532, 4), 1]",
     "C14 expected src to stay within 4096 bytes of storage, but got row 127, "
     "word 3 at byte 3932044|the copy reads 3932048 bytes from the view",
     512, 16, 4096},
    {"128x128b", kT, "[128, 4] : [4, 1], offset [2]",
     "C12 expected src origin to be 16-byte aligned, but got byte 8"},
    {"128x128b", kT, "[128, 4] : [4, 1], offset [?3*5 + 8]",
     "C12 expected src origin to be 16-byte aligned, but got byte 52 for stage "
     "1"},
    {"128x128b", "[2, 3, 128, 4] : [12@col, 4@col, 1@lane, 1@col]",
     "[2, 3, 128, 4] : [1, 4, 4, 1], offset [?2*4]",
     "C12 expected src origin to be 16-byte aligned, but got byte 4 for stage "
     "0, repeat (1, 0)"},
    {"128x128b", kT, "[128, 4] : [32, 1], swizzle 128B",
     "C13 expected src aligned to 1024 bytes for swizzle 128B, but got 128",
     512, 128},
    {"128x128b", kT, "[128, 4] : [4, 1], offset [-4]",
     "C14 expected src to start at byte 0 or later, but got byte -16"},
    {"128x128b", kT, kS,
     "C14 expected src to stay within 2047 bytes of storage, but got row 127, "
     "word 3 at byte 2044|the copy reads 2048 bytes from the view",
     512, 16, 2047},
    // Rows 7, 15 and so on read the same bytes; repeat 1 reads those of 0.
    {"128x128b", kT, "[(16, 8), 4] : [(0, 4), 1]",
     "C14 expected src to stay within 127 bytes of storage, but got row 7, "
     "word 3 at byte 124|the copy reads 128 bytes from the view",
     512, 16, 127},
    {"128x128b", "[2, 128, 4] : [4@col, 1@lane, 1@col]",
     "[2, 128, 4] : [0, 4, 1]",
     "C14 expected src to stay within 2047 bytes of storage, but got row 127, "
     "word 3 at byte 2044|the copy reads 2048 bytes from the view",
     512, 16, 2047},
    {"128x128b", kT, "[128, 4] : [4, 1], offset [?2*4]",
     "C14 expected src to stay within 2048 bytes of storage, but got row 127, "
     "word 3 at byte 2060 for stage 1"
     "|the copy reads 2064 bytes from the view",
     512, 16, 2048},
    {"128x128b", kT, "[128, 4] : [4, 1], offset [?2*-4 + 4]",
     "C14 expected src to stay within 2048 bytes of storage, but got row 127, "
     "word 3 at byte 2060 for stage 0"
     "|the copy reads 2064 bytes from the view",
     512, 16, 2048},
    {"4x256b", "[4, 8] : [32@lane, 1@col]", "[4, 8] : [8, 1], swizzle 32B",
     "C14 expected src storage of at least 256 bytes for the eight-row block, "
     "but got 128",
     512, 256, 128},
    // In row 3 the XOR takes chunks 0 and 1 to 3 and 2, chunks 1 and 2 to 2 and
    // 1: the lower origin reads further.
    {"4x256b", "[4, 8] : [32@lane, 1@col]",
     "[4, 8] : [32, 1], offset [?2*4], swizzle 128B",
     "C14 expected src to stay within 440 bytes of storage, but got row 3, "
     "word 3 at byte 444 for stage 0"
     "|the copy reads 448 bytes from the view",
     512, 1024, 440},
    {"4x256b", "[4, 8] : [32@lane, 1@col]",
     "[4, 8] : [32, 1], offset [?2*-4 + 4], swizzle 128B",
     "C14 expected src to stay within 440 bytes of storage, but got row 3, "
     "word 3 at byte 444 for stage 1"
     "|the copy reads 448 bytes from the view",
     512, 1024, 440},
    {"4x256b", "[4, 8] : [32@lane, 1@col]", "[4, (2, 4)] : [4, (16, 1)]",
     "C14 expected src storage of at least 192 bytes for the eight-row block, "
     "but got 128"},
};

} // namespace

std::vector<std::string> runPlanUnits() {
  std::vector<std::string> wrong;
  const auto same = sameInto(wrong);
  for (const Case &one : kCases) {
    const std::string what =
        std::string(one.opcode) + " " + one.dst + " from " + one.src;
    same(what, saidAbout(planOf(one)), one.expected);
    same(what, saidAbout(planOf(one, CpMatching::Points)), one.expected);
  }
  return wrong;
}

} // namespace agreement
