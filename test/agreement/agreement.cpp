//===- agreement.cpp - Two judges, many copies ----------------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   agreement [COPIES [SEED [first]]]
//   agreement copy NUMBER
//
// Draws copies and compares `planCp` with the judge that lists everything:
// same decision, same rule, and for a legal copy the same instructions. Copies
// that are too much to list are counted apart, and others drawn for them.
// Prints how often each rule was met, and each disagreement with the number
// that repeats it; `first` ends at the first one. Exit status 1 if there is
// one, or if a rule was never met.
//
//===----------------------------------------------------------------------===//

#include "Properties.h"
#include "Units.h"

#include <cstdio>
#include <cstdlib>
#include <map>

using namespace agreement;
using namespace tcgen05::layout;

namespace {

struct Tally {
  std::map<std::string, int64_t> rules;
  int64_t disagreements = 0, falseAccepts = 0, falseRejects = 0;
  bool onlyFirst = false;

  void report(const std::string &what, const Copy *copy, uint64_t seed) {
    if (++disagreements > 20)
      return;
    std::printf("disagreement (copy %llu): %s\n",
                static_cast<unsigned long long>(seed), what.c_str());
    if (copy)
      std::printf("  %s.%s scope %s\n  dst %s\n  src %s\n",
                  atoms()[copy->atom].shape, atoms()[copy->atom].multicast,
                  scopes()[copy->scope].name, describe(copy->dst).c_str(),
                  describe(copy->src).c_str());
    if (onlyFirst)
      std::exit(1);
  }
};

} // namespace

/// True if the sentence names one of the origins that break its rule.
static bool namesOffender(const std::string &sentence,
                          const std::vector<std::string> &offenders) {
  const std::string got = ", but got ";
  const size_t at = sentence.find(got);
  if (at == std::string::npos)
    return false;
  const std::string rest = sentence.substr(at + got.size());
  for (const std::string &offender : offenders)
    if (rest == offender ||
        rest.substr(0, offender.size() + 5) == offender + " for ")
      return true;
  return false;
}

/// The rule of an error; a type that does not exist has none.
static std::string ruleOf(const Result<CpPlan> &plan) {
  if (plan)
    return "";
  return plan.error().rule.empty() ? "type" : plan.error().rule;
}

static bool samePlan(const CpPlan &a, const CpPlan &b) {
  return a.walk == b.walk && a.descriptorBase == b.descriptorBase &&
         a.origin == b.origin && a.numRepeats() == b.numRepeats();
}

/// False if the judge had too much to list.
static bool checkOne(uint64_t seed, Tally &tally) {
  Random random(seed);
  const Copy copy = drawCopy(random);
  auto report = [&](const std::string &what) {
    tally.report(what, &copy, seed);
    return true;
  };

  const Layout::Parts dstParts = partsOf(copy.dst, random);
  const Layout::Parts srcParts = partsOf(copy.src, random);
  const Result<Layout> dst = Layout::create(dstParts);
  const Result<Layout> src = Layout::create(srcParts);
  const bool dstGood = isWellFormed(copy.dst), srcGood = isWellFormed(copy.src);
  if (static_cast<bool>(dst) != dstGood || static_cast<bool>(src) != srcGood)
    return report(std::string("layout ") +
                  (dst && src ? "accepted" : "refused"));
  for (const auto &[layout, parts] :
       {std::pair(&dst, &dstParts), std::pair(&src, &srcParts)}) {
    if (*layout) {
      if (std::string wrong = checkText(**layout, *parts, random);
          !wrong.empty())
        report(wrong);
    } else if (std::optional<std::string> text = spell(*parts, random)) {
      if (Layout::parse(*text))
        report("malformed text accepted: " + *text);
    }
  }
  if (!dstGood || !srcGood) {
    ++tally.rules["malformed"];
    return true;
  }

  const Verdict verdict = judge(copy);
  ++tally.rules[verdict.rule.empty() ? "legal" : verdict.rule];
  const AtomFacts &atom = atoms()[copy.atom];
  const Result<CpOpcode> opcode =
      CpOpcode::create(1 + random.below(2), atom.shape, atom.multicast, "");
  if (!opcode)
    return report("opcode refused: " + opcode.error().message);
  const TmemRegion dstRegion = tmemOf(copy.dst, *dst);
  const SmemRegion srcRegion = smemOf(copy.src, *src);
  const auto scope = static_cast<CpScope>(copy.scope);
  const Result<CpPlan> plan = planCp(*opcode, dstRegion, srcRegion, scope);
  const Result<CpPlan> slow =
      planCp(*opcode, dstRegion, srcRegion, scope, CpMatching::Points);
  if (static_cast<bool>(plan) != static_cast<bool>(slow) ||
      (plan && !samePlan(*plan, *slow)) ||
      (!plan && (plan.error().rule != slow.error().rule ||
                 plan.error().message != slow.error().message)))
    report("strides and points disagree: " + ruleOf(plan) + " and " +
           ruleOf(slow));
  const bool typed = !dstRegion.check() && !srcRegion.check();
  if (typed == (verdict.rule == "type"))
    return report(typed ? "type accepted" : "type refused");
  if (verdict.rule == "skip")
    return false;
  if (ruleOf(plan) != verdict.rule) {
    if (plan)
      ++tally.falseAccepts;
    else if (verdict.rule.empty())
      ++tally.falseRejects;
    return report("expected '" + verdict.rule + "', but got '" + ruleOf(plan) +
                  "' " + (plan ? "" : plan.error().message));
  }
  if (!plan && !verdict.offenders.empty() &&
      !namesOffender(plan.error().message, verdict.offenders))
    report("not among the offenders: " + plan.error().message);
  if (!plan)
    if (std::string wrong = checkSentence(copy, verdict, plan.error().message);
        !wrong.empty())
      report(wrong + " " + plan.error().message);
  if (plan)
    if (std::string wrong = checkPlan(copy, verdict, *plan, random);
        !wrong.empty())
      report(wrong);
  return true;
}

int main(int argc, char **argv) {
  if (argc == 3 && std::string(argv[1]) == "copy") {
    Tally tally;
    checkOne(std::strtoull(argv[2], nullptr, 0), tally);
    return tally.disagreements == 0 ? 0 : 1;
  }
  const int64_t copies = argc > 1 ? std::atoll(argv[1]) : 200000;
  const uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 0) : 1;
  if (copies < 1) {
    std::fprintf(stderr, "expected a positive number of copies\n");
    return 2;
  }
  Tally tally;
  tally.onlyFirst = argc > 3 && std::string(argv[3]) == "first";
  for (const std::string &wrong : runUnits())
    tally.report(wrong, nullptr, 0);
  if (std::string wrong = checkEncodings(); !wrong.empty())
    tally.report(wrong, nullptr, 0);

  // Seeds are spread, so that runs with neighbouring ones share nothing.
  Random seeds(seed);
  int64_t slices = 0, layouts = copies / 4;
  for (int64_t i = 0; i < layouts; ++i) {
    const uint64_t one = seeds.next();
    Random random(one);
    if (std::string wrong = checkLayout(random); !wrong.empty())
      tally.report(wrong, nullptr, one);
    if (std::string wrong = checkDigits(random); !wrong.empty())
      tally.report(wrong, nullptr, one);
    bool taken = false;
    if (std::string wrong = checkSlice(random, taken); !wrong.empty())
      tally.report(wrong, nullptr, one);
    slices += taken;
  }
  for (int64_t i = 0; i < copies;)
    i += checkOne(seeds.next(), tally);

  static constexpr const char *rules[] = {
      "legal", "malformed", "type", "C2",  "C3",  "C4",  "C5",  "C6",  "C7",
      "C8",    "C9",        "C10",  "C11", "C12", "C13", "C14", "skip"};
  for (const char *rule : rules) {
    std::printf("%-10s %lld\n", rule,
                static_cast<long long>(tally.rules[rule]));
    if (copies >= 100000 && rule != std::string("skip") &&
        tally.rules[rule] == 0)
      tally.report(std::string("no copy met ") + rule, nullptr, seed);
  }
  std::printf("%lld layouts, %lld slices taken and %lld refused\n",
              static_cast<long long>(layouts), static_cast<long long>(slices),
              static_cast<long long>(layouts - slices));
  std::printf("%lld copies, %lld false accepts, %lld false rejects, "
              "%lld disagreements\n",
              static_cast<long long>(copies),
              static_cast<long long>(tally.falseAccepts),
              static_cast<long long>(tally.falseRejects),
              static_cast<long long>(tally.disagreements));
  return tally.disagreements == 0 ? 0 : 1;
}
