//===- BugReport.h - What a tool says when it crashes -----------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's signal handlers print one message before the stack of a tool that
// crashes. Upstream's asks to send the fault to LLVM; it is more likely ours,
// and the message has to say how one file comes to show it.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_TOOLS_BUGREPORT_H
#define TCGEN05_TOOLS_BUGREPORT_H

#include "llvm/Support/PrettyStackTrace.h"

namespace tcgen05 {

/// Has a crash print how to make a file that shows it.
inline void explainBugReports() {
  llvm::setBugReportMsg(
      "This is a fault of the compiler, not of its input. Please report it, "
      "with a file that shows it:\n"
      "  tcgen05-opt OPTIONS FILE "
      "-mlir-pass-pipeline-crash-reproducer=reproducer.mlir\n"
      "writes reproducer.mlir, which shows it again by\n"
      "  tcgen05-opt reproducer.mlir -run-reproducer\n"
      "and tcgen05-reduce makes it small. A crash before the first pass needs "
      "FILE alone.\n");
}

} // namespace tcgen05

#endif // TCGEN05_TOOLS_BUGREPORT_H
