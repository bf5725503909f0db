//===- Groups.cpp - One cta_group, and a cluster for two ------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Findings.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tcgen05::check;

/// The number of CTAs in the kernel's cluster; 0 if it has none.
static int64_t clusterSize(Operation *kernel) {
  for (StringRef name :
       {StringRef("known_cluster_size"), StringRef("gpu.known_cluster_size"),
        StringRef(NVVM::NVVMDialect::getClusterDimAttrName())})
    if (auto size = kernel->getAttrOfType<DenseI32ArrayAttr>(name)) {
      Interval product = Interval::of(1);
      for (int32_t extent : size.asArrayRef())
        product = product * Interval::of(extent);
      return product.hi;
    }
  if (auto most = kernel->getAttrOfType<IntegerAttr>(
          NVVM::NVVMDialect::getClusterMaxBlocksAttrName()))
    return most.getInt();
  return 0;
}

void tcgen05::check::findGroups(const Kernel &kernel, bool hasClusterLaunch,
                                Findings &findings) {
  const Event *first = nullptr, *pair = nullptr;
  for (const Event &event : kernel.events) {
    if (!event.group)
      continue;
    if (!pair && event.group == 2)
      pair = &event;
    if (!first) {
      first = &event;
    } else if (event.group != first->group) {
      findings.push_back(
          {"mixed-cta-group",
           /*isError=*/true,
           event.op,
           "expected cta_group to be " + std::to_string(first->group) +
               " as elsewhere in the kernel, but got " +
               std::to_string(event.group),
           {{first->op->getLoc(),
             "this operation has cta_group " + std::to_string(first->group)}}});
      break; // one is enough to say which two do not fit
    }
  }
  if (!pair || !kernel.isKernel)
    return;
  const int64_t size = clusterSize(kernel.original);
  if (size >= 2 || (size == 0 && hasClusterLaunch))
    return;
  findings.push_back(
      {"cluster",
       /*isError=*/false,
       pair->op,
       std::string(
           "expected the kernel to have a cluster of at least 2 CTAs for "
           "cta_group 2, but got ") +
           (size == 0 ? "none" : "a cluster of 1 CTA"),
       {{kernel.original->getLoc(), "known_cluster_size of a gpu.func, or "
                                    "nvvm.cluster_dim, states it here"}}});
}
