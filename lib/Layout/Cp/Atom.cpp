//===- Atom.cpp - The shapes of tcgen05.cp and its opcode -----------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05/Layout/Cp/Atom.h"

#include <optional>

namespace tcgen05 {
namespace layout {

static constexpr std::string_view kPrefix = "tcgen05.cp.";
static constexpr std::string_view kGroup = "cta_group::";
static constexpr int64_t kCtaGroups[] = {1, 2};

std::string CpAtom::str() const {
  std::string text(shape);
  if (!multicast.empty())
    text += "." + std::string(multicast);
  return text;
}

std::string CpAtom::replicaStr() const {
  if (replicas == 1)
    return "none";
  return "[" + std::to_string(replicas) + " : " +
         std::to_string(replicaStride) + "@lane]";
}

/// `a`, `a or b`, `a, b or c`
static std::string alternatives(const std::vector<std::string> &words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0)
      text += i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

static std::vector<std::string> shapes() {
  std::vector<std::string> list;
  for (const CpAtom &atom : kCpAtoms)
    if (list.empty() || list.back() != atom.shape)
      list.emplace_back(atom.shape);
  return list;
}

/// The multicasts of a shape; empty if it takes none.
static std::vector<std::string> multicasts(std::string_view shape) {
  std::vector<std::string> list;
  for (const CpAtom &atom : kCpAtoms)
    if (atom.shape == shape && !atom.multicast.empty())
      list.emplace_back(atom.multicast);
  return list;
}

static std::vector<std::string> decompressions() {
  std::vector<std::string> list;
  for (std::string_view format : kCpDecompress)
    if (!format.empty())
      list.emplace_back(format);
  return list;
}

static std::vector<std::string> ctaGroups() {
  std::vector<std::string> list;
  for (int64_t group : kCtaGroups)
    list.push_back(std::string(kGroup) + std::to_string(group));
  return list;
}

static std::string orNone(std::string_view text) {
  return text.empty() ? "none" : std::string(text);
}

Result<CpOpcode> CpOpcode::create(int64_t ctaGroup, std::string_view shape,
                                  std::string_view multicast,
                                  std::string_view decompress) {
  if (ctaGroup != kCtaGroups[0] && ctaGroup != kCtaGroups[1])
    return Error{"C1", "expected cta_group to be 1 or 2, but got " +
                           std::to_string(ctaGroup)};
  const CpAtom *found = nullptr;
  bool knownShape = false;
  for (const CpAtom &atom : kCpAtoms) {
    knownShape |= atom.shape == shape;
    if (atom.shape == shape && atom.multicast == multicast)
      found = &atom;
  }
  if (!knownShape)
    return Error{"C1", "expected shape to be " + alternatives(shapes()) +
                           ", but got '" + std::string(shape) + "'"};
  if (!found) {
    std::vector<std::string> accepted = multicasts(shape);
    return Error{"C1", "expected " +
                           (accepted.empty()
                                ? "no multicast"
                                : "multicast " + alternatives(accepted)) +
                           " for " + std::string(shape) + ", but got " +
                           orNone(multicast)};
  }
  for (std::string_view format : kCpDecompress)
    if (format == decompress)
      return CpOpcode{*found, ctaGroup, format};
  return Error{"C1", "expected decompression to be " +
                         alternatives(decompressions()) + ", but got '" +
                         std::string(decompress) + "'"};
}

namespace {
/// Takes the qualifiers off an opcode from the left.
struct Qualifiers {
  std::string_view rest;

  /// The next qualifier, without taking it.
  std::string_view next() const { return rest.substr(0, rest.find('.')); }
  /// Takes `word`, which may hold a dot, if it comes next and is whole.
  bool take(std::string_view word) {
    if (rest.substr(0, word.size()) != word)
      return false;
    if (rest.size() > word.size() && rest[word.size()] != '.')
      return false;
    rest.remove_prefix(word.size());
    // A dot at the very end leaves an empty qualifier behind, an error.
    if (!rest.empty()) {
      rest.remove_prefix(1);
      trailingDot = rest.empty();
    }
    return true;
  }
  bool trailingDot = false;
};
} // namespace

static Error slotError(const std::string &slot,
                       const std::vector<std::string> &accepted,
                       std::string_view got) {
  return Error{"C1", "expected " + slot + " to be " + alternatives(accepted) +
                         ", but got " +
                         (got.empty() ? "the end of the opcode"
                                      : "'" + std::string(got) + "'")};
}

Result<CpOpcode> CpOpcode::parse(std::string_view text) {
  Qualifiers words{text};
  if (words.rest.substr(0, kPrefix.size()) == kPrefix)
    words.rest.remove_prefix(kPrefix.size());

  int64_t ctaGroup = 0;
  for (int64_t group : kCtaGroups)
    if (ctaGroup == 0 &&
        words.take(std::string(kGroup) + std::to_string(group)))
      ctaGroup = group;
  if (ctaGroup == 0)
    return slotError("cta_group", ctaGroups(), words.next());

  std::string_view shape;
  for (const CpAtom &atom : kCpAtoms)
    if (shape.empty() && words.take(atom.shape))
      shape = atom.shape;
  if (shape.empty())
    return slotError("shape", shapes(), words.next());

  std::string_view multicast;
  for (const CpAtom &atom : kCpAtoms)
    if (multicast.empty() && !atom.multicast.empty() &&
        words.take(atom.multicast))
      multicast = atom.multicast;
  // C1 decides on the pair before anything that follows is looked at.
  if (auto pair = create(ctaGroup, shape, multicast, ""); !pair) {
    if (multicast.empty() && !words.next().empty())
      return slotError("multicast", multicasts(shape), words.next());
    return pair.error();
  }

  std::string_view decompress;
  for (std::string_view format : kCpDecompress)
    if (!format.empty() && decompress.empty() && words.take(format))
      decompress = format;
  if (!words.rest.empty() || words.trailingDot) {
    std::vector<std::string> accepted = decompressions();
    std::string slot = "decompression";
    if (!decompress.empty()) {
      accepted = {"the last qualifier"};
      slot = std::string(decompress);
    } else {
      accepted.emplace_back("nothing");
      if (multicast.empty())
        slot = "what follows " + std::string(shape);
    }
    return Error{
        "C1", "expected " + slot + " to be " + alternatives(accepted) +
                  ", but got '" +
                  (words.rest.empty() ? "." : std::string(words.rest)) + "'"};
  }
  return create(ctaGroup, shape, multicast, decompress);
}

std::string CpOpcode::str() const {
  std::string text =
      std::string(kGroup) + std::to_string(ctaGroup) + "." + atom.str();
  if (!decompress.empty())
    text += "." + std::string(decompress);
  return text;
}

std::vector<CpOpcode> allCpOpcodes() {
  std::vector<CpOpcode> list;
  for (int64_t group : kCtaGroups)
    for (const CpAtom &atom : kCpAtoms)
      for (std::string_view format : kCpDecompress)
        list.push_back(CpOpcode{atom, group, format});
  return list;
}

Result<CpScope> parseCpScope(std::string_view text) {
  std::vector<std::string> accepted;
  for (size_t i = 0; i < kCpScopes.size(); ++i) {
    if (kCpScopes[i] == text)
      return static_cast<CpScope>(i);
    accepted.emplace_back(kCpScopes[i]);
  }
  return Error{"", "expected scope to be " + alternatives(accepted) +
                       ", but got '" + std::string(text) + "'"};
}

std::string_view name(GroupAxis axis) {
  constexpr std::string_view names[] = {"rank", "warp", "warp in group",
                                        "lane"};
  return names[static_cast<unsigned>(axis)];
}

std::vector<GroupAxis> groupAxes(CpScope scope) {
  std::vector<GroupAxis> axes;
  if (scope == CpScope::Cluster)
    axes.push_back(GroupAxis::Rank);
  if (scope == CpScope::Cluster || scope == CpScope::Cta)
    axes.push_back(GroupAxis::Warp);
  if (scope == CpScope::WarpGroup)
    axes.push_back(GroupAxis::WarpInGroup);
  if (scope != CpScope::Thread)
    axes.push_back(GroupAxis::Lane);
  return axes;
}

} // namespace layout
} // namespace tcgen05
