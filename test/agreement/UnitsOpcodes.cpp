//===- UnitsOpcodes.cpp - Opcodes and scopes, wrong and right -------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Units.h"

#include "tcgen05/Layout/Cp/Plan.h"

#include <set>

using namespace tcgen05::layout;

namespace agreement {

std::vector<std::string> runOpcodeUnits() {
  std::vector<std::string> wrong;
  const auto same = sameInto(wrong);
  const auto refused = refusedInto(wrong);

  const struct {
    const char *text, *got;
  } bad[] = {
      {"", "expected cta_group to be cta_group::1 or cta_group::2, but got "
           "the end of the opcode"},
      {"cta_group::3.128x128b",
       "expected cta_group to be cta_group::1 or cta_group::2, but got "
       "'cta_group::3'"},
      {"cta_group::11.128x128b",
       "expected cta_group to be cta_group::1 or cta_group::2, but got "
       "'cta_group::11'"},
      {"cta_group::1", "expected shape to be 128x256b, 128x128b, 4x256b, "
                       "64x128b or 32x128b, but got the end of the opcode"},
      {"cta_group::1.", "expected shape to be 128x256b, 128x128b, 4x256b, "
                        "64x128b or 32x128b, but got the end of the opcode"},
      {"cta_group::2.16x128b", "expected shape to be 128x256b, 128x128b, "
                               "4x256b, 64x128b or 32x128b, but got '16x128b'"},
      {"cta_group::1.64x128b",
       "expected multicast warpx2::02_13 or warpx2::01_23 for 64x128b, but "
       "got none"},
      {"cta_group::1.64x128b.warpx4",
       "expected multicast warpx2::02_13 or warpx2::01_23 for 64x128b, but "
       "got warpx4"},
      {"cta_group::1.64x128b.x",
       "expected multicast to be warpx2::02_13 or warpx2::01_23, but got 'x'"},
      {"cta_group::1.128x128b.warpx4",
       "expected no multicast for 128x128b, but got warpx4"},
      {"cta_group::1.128x128b.", "expected what follows 128x128b to be "
                                 "b8x16.b4x16_p64, b8x16.b6x16_p32 or "
                                 "nothing, but got '.'"},
      {"cta_group::1.32x128b.warpx4.b8x16",
       "expected decompression to be b8x16.b4x16_p64, b8x16.b6x16_p32 or "
       "nothing, but got 'b8x16'"},
      {"cta_group::1.4x256b.b8x16.b4x16_p64.",
       "expected b8x16.b4x16_p64 to be the last qualifier, but got '.'"},
      {"cta_group::1.32x128b..warpx4",
       "expected multicast warpx4 for 32x128b, but got none"},
      {"cta_group::1.128x128b.warpx4.x",
       "expected no multicast for 128x128b, but got warpx4"},
      {"cta_group::1.4x256b.b8x16.b4x16_p64.x",
       "expected b8x16.b4x16_p64 to be the last qualifier, but got 'x'"},
      // Repeated and empty qualifiers: the slot says what it accepts.
      {"cta_group::1.64x128b.warpx2::02_13.warpx2::01_23",
       "expected decompression to be b8x16.b4x16_p64, b8x16.b6x16_p32 or "
       "nothing, but got 'warpx2::01_23'"},
      {"cta_group::1.4x256b..b8x16.b4x16_p64",
       "expected what follows 4x256b to be b8x16.b4x16_p64, b8x16.b6x16_p32 "
       "or nothing, but got '.b8x16.b4x16_p64'"},
      {"cta_group::1.4x256b.b8x16.b4x16_p64.b8x16.b6x16_p32",
       "expected b8x16.b4x16_p64 to be the last qualifier, but got "
       "'b8x16.b6x16_p32'"},
  };
  for (const auto &[input, message] : bad) {
    const Result<CpOpcode> opcode = CpOpcode::parse(input);
    refused(input, opcode, message);
    if (!opcode)
      same(input, opcode.error().rule, "C1");
  }
  refused("group 0", CpOpcode::create(0, "128x128b", "", ""),
          "expected cta_group to be 1 or 2, but got 0");
  refused("shape", CpOpcode::create(1, "8x8b", "", ""),
          "expected shape to be 128x256b, 128x128b, 4x256b, 64x128b or "
          "32x128b, but got '8x8b'");
  refused("multicast", CpOpcode::create(1, "32x128b", "x", ""),
          "expected multicast warpx4 for 32x128b, but got x");
  refused("format", CpOpcode::create(2, "32x128b", "warpx4", "b6"),
          "expected decompression to be b8x16.b4x16_p64 or b8x16.b6x16_p32, "
          "but got 'b6'");

  // The 36 that ptxas assembles, with and without the prefix.
  std::set<std::string> seen;
  const char *pairs[] = {"128x256b",
                         "128x128b",
                         "4x256b",
                         "64x128b.warpx2::02_13",
                         "64x128b.warpx2::01_23",
                         "32x128b.warpx4"};
  for (const char *group : {"cta_group::1.", "cta_group::2."})
    for (const char *pair : pairs)
      for (const char *format : {"", ".b8x16.b4x16_p64", ".b8x16.b6x16_p32"})
        seen.insert(std::string(group) + pair + format);
  std::set<std::string> listed;
  for (const CpOpcode &opcode : allCpOpcodes())
    listed.insert(opcode.str());
  if (listed != seen || allCpOpcodes().size() != 36)
    wrong.emplace_back("the list of opcodes");
  for (const std::string &text : seen) {
    const Result<CpOpcode> opcode = CpOpcode::parse("tcgen05.cp." + text);
    same(text, opcode ? opcode->str() : opcode.error().message, text);
    const Result<CpOpcode> bare = CpOpcode::parse(text);
    if (!opcode || !bare || !(*bare == *opcode))
      wrong.push_back(text);
  }
  for (const CpOpcode &a : allCpOpcodes())
    for (const CpOpcode &b : allCpOpcodes())
      if ((a == b) != (a.str() == b.str()))
        wrong.push_back(a.str() + " == " + b.str());

  refused("scope", parseCpScope("block"),
          "expected scope to be thread, warp, warpgroup, cta or cluster, but "
          "got 'block'");
  const std::pair<const char *, std::string> axes[] = {
      {"thread", ""},
      {"warp", "lane,"},
      {"warpgroup", "warp in group,lane,"},
      {"cta", "warp,lane,"},
      {"cluster", "rank,warp,lane,"}};
  for (const auto &[text, list] : axes) {
    const Result<CpScope> scope = parseCpScope(text);
    std::string got;
    if (scope)
      for (GroupAxis axis : groupAxes(*scope))
        got += std::string(name(axis)) + ",";
    same(text, scope ? got : scope.error().message, list);
    if (scope)
      same(text, std::string(name(*scope)), text);
  }
  return wrong;
}

} // namespace agreement
