//===- UnitsText.cpp - Texts of layouts, malformed and not ----------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Units.h"

#include "tcgen05/Layout/Layout.h"

using namespace tcgen05::layout;

namespace agreement {
namespace {

std::string repeated(const std::string &text, int n) {
  std::string all;
  for (int i = 0; i < n; ++i)
    all += text;
  return all;
}

} // namespace

std::vector<std::string> runTextUnits() {
  std::vector<std::string> wrong;
  const auto same = sameInto(wrong);
  const auto refused = refusedInto(wrong);

  // One wrong thing each, and the character that it stands at.
  const struct {
    std::string text, message;
  } bad[] = {
      {"", "expected '[' before the shape of the layout at character 1"},
      {"[]", "expected an extent at character 2"},
      {"[4", "expected ']' after the shape of the layout at character 3"},
      {"[0] : [1]", "expected extent to be positive, but got 0 at character 3"},
      {"[-4] : [1]", "expected an extent at character 2"},
      {"[4] [1]", "expected ':' between shape and strides at character 5"},
      {"[4] : 1",
       "expected '[' before the strides of the layout at character 7"},
      {"[4] : []", "expected a stride for each extent at character 8"},
      {"[4] : [-]", "expected a stride for each extent at character 9"},
      {"[4] : [1",
       "expected ']' after the strides of the layout at character 9"},
      {"[4] : [1, 2]",
       "expected ']' after the strides of the layout at character 9"},
      {"[4, 4] : [1]",
       "expected ',' since there is a stride for each dimension at character "
       "12"},
      {"[(4, 4)] : [1]",
       "expected '(' since strides are nested as the shape is at character 13"},
      {"[(4, 4)] : [(x, 1)]",
       "expected a stride for each extent at character 14"},
      {"[(4, 4)] : [(1)]",
       "expected ',' since there is a stride for each extent at character 15"},
      {"[(4, 4)] : [(1, 2]",
       "expected ')' after the strides of a nested dimension at character 18"},
      {"[(4, 4] : [(1, 2)]",
       "expected ')' after the extents of a nested dimension at character 7"},
      {"[(4, )] : [1]", "expected an extent at character 6"},
      {"[4] : [1@row]",
       "expected axis to be lane or col, but got 'row' at character 13"},
      {"[9223372036854775808] : [1]",
       "expected integer to fit in 64 bits at character 20"},
      {"[4] : [99999999999999999999]",
       "expected integer to fit in 64 bits at character 26"},
      {"[4] : [1] x", "expected the end of the layout at character 11"},
      {"[4] : [1@lane_2]",
       "expected axis to be lane or col, but got 'lane_2' at character 16"},
      {"[4] : [1]: offset [3]", "expected the end of the layout at character "
                                "10"},
      {"[4] : [1],", "expected replica, offset or swizzle at character 11"},
      {"[4] : [1], offset [1], replica [2 : 1]",
       "expected swizzle at character 24"},
      {"[4] : [1], replica [2 : 1@lane], replica [2 : 1@lane]",
       "expected offset or swizzle at character 34"},
      {"[4] : [1], swizzle 32B, swizzle 32B",
       "expected nothing after swizzle at character 24"},
      {"[4] : [1], swizzle",
       "expected swizzle to be 32B, 64B or 128B at character 19"},
      {"[4] : [1], swizzle -32B",
       "expected swizzle to be 32B, 64B or 128B at character 20"},
      {"[4] : [1], swizzle 16B",
       "expected swizzle to be 32B, 64B or 128B, but got 16 at character 22"},
      {"[4] : [1], swizzle 32",
       "expected swizzle to end in B, as in 128B at character 22"},
      {"[4] : [1], replica 2", "expected '[' before the replicas at character "
                               "20"},
      {"[4] : [1], replica [2]",
       "expected ':' between the extent and the stride of a replica at "
       "character 22"},
      {"[4] : [1], replica [2 : 1",
       "expected ']' after the replicas at character 26"},
      {"[4] : [1], replica [x]", "expected an extent at character 21"},
      {"[4] : [1], replica [2 : x]",
       "expected a stride for each extent at character 25"},
      {"[4] : [1], offset 3", "expected '[' before the offset at character 19"},
      {"[4] : [1], offset [3", "expected ']' after the offset at character 21"},
      {"[4] : [1], offset []", "expected an offset at character 20"},
      {"[4] : [1], offset [x]", "expected an offset at character 20"},
      {"[4] : [1], offset [1 + ]", "expected an offset at character 24"},
      {"[4] : [1], offset [1@x]",
       "expected axis to be lane or col, but got 'x' at character 23"},
      {"[4] : [1], offset [1, 2]",
       "expected each axis of the offset once, but got memory twice at "
       "character 24"},
      {"[4] : [1@col], offset [1@col, 2@col]",
       "expected each axis of the offset once, but got col twice at character "
       "36"},
      {"[4] : [1], offset [-?2*3]",
       "expected '-' before the multiplier of a term, not before its '?' at "
       "character 22"},
      {"[4] : [1], offset [?*3]",
       "expected the number of values of an offset term at character 21"},
      {"[4] : [1], offset [?2+3]",
       "expected '*' between the number of values of an offset term and its "
       "multiplier at character 22"},
      {"[4] : [1], offset [?2*]",
       "expected the multiplier of an offset term at character 23"},
      {"[4] : [1], offset [?-2*4]",
       "expected the number of values of an offset term at character 21"},
      {"[4] : [1], offset [?0*4]",
       "expected the number of values of an offset term to be positive, but "
       "got 0 at character 25"},
      {"[4] : [1], offset [72057594037927936 + 1]",
       "expected offset to stay within 2^56, but it overflows at character 41"},
      {"[4] : [1], offset [-72057594037927936 - 1]",
       "expected offset to stay within 2^56, but it overflows at character 42"},
      {"[4] : [1], offset [72057594037927937]",
       "expected offset to stay within 2^56, but it overflows at character 37"},
      {"[4] : [1], offset [9223372036854775807 + 1]",
       "expected offset to stay within 2^56, but it overflows at character 39"},
      {"[4] : [1], offset [-72057594037927936 + 72057594037927937]",
       "expected offset to stay within 2^56, but it overflows at character 58"},
      {"[4] : [1], offset [72057594037927936 - 72057594037927937]",
       "expected offset to stay within 2^56, but it overflows at character 57"},
      {"[4] : [1], offset [--72057594037927937]",
       "expected offset to stay within 2^56, but it overflows at character 39"},
      {"[" + repeated("(", 17) + "1" + repeated(")", 17) + "] : [1]",
       "expected nesting of at most 16 parentheses, but got 17 at character "
       "19"},
      {"[" + repeated("1, ", 16) + "1] : [1]",
       "expected layout to have at most 16 dimensions at character 49"},
      {"[1] : [1], replica [" + repeated("1 : 0, ", 16) + "1 : 0]",
       "expected at most 16 replica modes at character 132"},
      {"[1] : [1], offset [" + repeated("?2*1 + ", 256) + "?2*1]",
       "expected at most 256 terms in an offset at character 1813"},
      {std::string("[4] : [1]\0", 10),
       "expected the end of the layout at character 10"},
  };
  for (const auto &[input, message] : bad)
    refused(input, Layout::parse(input), message);

  // The text ends where the view ends, whatever lies behind.
  refused("a view", Layout::parse(std::string_view("[4] : [1]", 1)),
          "expected an extent at character 2");

  // A near miss beside each bound, and texts that are not in normal form.
  const struct {
    std::string text, normal;
  } good[] = {
      {"[" + repeated("(", 16) + "2" + repeated(")", 16) + "] : [" +
           repeated("(", 16) + "3" + repeated(")", 16) + "]",
       ""},
      {"[" + repeated("1, ", 15) + "1] : [" + repeated("0, ", 15) + "0]", ""},
      {"[1] : [1], replica [" + repeated("1 : 0, ", 15) + "1 : 0]", ""},
      {"[1] : [9223372036854775807]", ""},
      {"[9223372036854775807] : [0]", ""},
      {"[1] : [1], replica [" + repeated("(", 16) + "2" + repeated(")", 16) +
           " : " + repeated("(", 16) + "3" + repeated(")", 16) + "]",
       ""},
      {"[4] : [1 @lane]", "[4] : [1@lane]"},
      {"[1]:[-9223372036854775807@lane]", "[1] : [-9223372036854775807@lane]"},
      {"[72057594037927937] : [1]", ""},
      {"[1] : [1], offset [72057594037927936]", ""},
      {"[1] : [1], offset [-72057594037927936]", ""},
      {"[1] : [1], offset [--72057594037927936]",
       "[1] : [1], offset [72057594037927936]"},
      {"[1] : [1], offset [72057594037927936 + 1 - 1]", "refused"},
      {"[1] : [1], offset [" + repeated("?2*1 + ", 99) + "?2*1]", ""},
      {"[1] : [1], offset [1 + 2 - 4]", "[1] : [1], offset [-1]"},
      {"[1] : [1], offset [- 5 - -7]", "[1] : [1], offset [2]"},
      {"[1] : [1], offset [0]", "[1] : [1]"},
      {"[1] : [1], offset [?1*7 + 3 + ?4*0]", "[1] : [1], offset [3]"},
      {"[1] : [1], offset [64 + ?4*8 + ?6*512]",
       "[1] : [1], offset [?6*512 + ?4*8 + 64]"},
      {"[1] : [1], offset [?2*8 - 3 + ?5*8 + ?3*-8]",
       "[1] : [1], offset [?5*8 + ?2*8 + ?3*-8 - 3]"},
      {"[1] : [1@col], offset [8@col, ?2*3@lane]",
       "[1] : [1@col], offset [?2*3@lane, 8@col]"},
      {" [ 4 ]\t:\n[ 1@col ] ,\r swizzle 64 B ", "[4] : [1@col], swizzle 64B"},
      {"[(4, (2))] : [(1, (2))], replica [(2, 2) : (1@lane, 2@col)]", ""},
  };
  for (const auto &[input, normal] : good) {
    if (normal == "refused") {
      refused(input, Layout::parse(input),
              "expected offset to stay within 2^56, but it overflows at "
              "character 41");
      continue;
    }
    const Result<Layout> layout = Layout::parse(input);
    same(input, layout ? layout->str() : layout.error().message,
         normal.empty() ? input : normal);
  }
  return wrong;
}

} // namespace agreement
