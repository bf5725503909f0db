//===- Cp.cpp - The copy from shared to tensor memory ---------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05/IR/Tcgen05.h"
#include "tcgen05/Layout/Cp/Target.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tcgen05;
using layout::CpOpcode;
using layout::CpPlan;
using layout::CpScope;

static StringAttr optionalString(MLIRContext *context, std::string_view text) {
  return text.empty() ? StringAttr() : StringAttr::get(context, text);
}

static void setQualifiers(CpOp::Properties &properties, MLIRContext *context,
                          const CpOpcode &opcode, CpScope scope) {
  properties.cta_group =
      IntegerAttr::get(IntegerType::get(context, 32), opcode.ctaGroup);
  properties.shape = StringAttr::get(context, opcode.atom.shape);
  properties.multicast = optionalString(context, opcode.atom.multicast);
  properties.decompress = optionalString(context, opcode.decompress);
  properties.scope = StringAttr::get(context, layout::name(scope));
}

void CpOp::build(OpBuilder &builder, OperationState &state,
                 const CpOpcode &opcode, Value dst, Value src, Value pred,
                 CpScope scope) {
  state.addOperands({dst, src});
  if (pred)
    state.addOperands(pred);
  setQualifiers(state.getOrAddProperties<Properties>(), builder.getContext(),
                opcode, scope);
}

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

/// "QUALIFIERS" %dst, %src (, pred %p)? (, scope(S))? {...}? : T1, T2
ParseResult CpOp::parse(OpAsmParser &parser, OperationState &result) {
  SMLoc loc = parser.getCurrentLocation();
  std::string qualifiers;
  if (parser.parseString(&qualifiers))
    return failure();
  const layout::Result<CpOpcode> opcode = CpOpcode::parse(qualifiers);
  if (!opcode)
    return report(parser.emitError(loc), opcode.error());

  OpAsmParser::UnresolvedOperand dst, src, pred;
  if (parser.parseOperand(dst) || parser.parseComma() ||
      parser.parseOperand(src))
    return failure();
  bool more = succeeded(parser.parseOptionalComma());
  const bool predicated =
      more && succeeded(parser.parseOptionalKeyword("pred"));
  if (predicated) {
    if (parser.parseOperand(pred))
      return failure();
    more = succeeded(parser.parseOptionalComma());
  }
  CpScope scope = CpScope::Thread;
  if (more) {
    StringRef word;
    if (parser.parseKeyword("scope") || parser.parseLParen())
      return failure();
    loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&word) || parser.parseRParen())
      return failure();
    const layout::Result<CpScope> parsed = layout::parseCpScope(word);
    if (!parsed)
      return report(parser.emitError(loc), parsed.error());
    scope = *parsed;
  }

  loc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(result.attributes))
    return failure();
  for (StringRef name : getAttributeNames())
    if (result.attributes.get(name))
      return parser.emitError(loc) << "expected " << name
                                   << " to be given by the qualifiers, but got "
                                      "an attribute of that name";
  setQualifiers(result.getOrAddProperties<Properties>(), parser.getContext(),
                *opcode, scope);

  Type dstType, srcType;
  if (parser.parseColonType(dstType) || parser.parseComma() ||
      parser.parseType(srcType) ||
      parser.resolveOperand(dst, dstType, result.operands) ||
      parser.resolveOperand(src, srcType, result.operands))
    return failure();
  if (predicated)
    return parser.resolveOperand(pred, parser.getBuilder().getI1Type(),
                                 result.operands);
  return success();
}

void CpOp::print(OpAsmPrinter &printer) {
  std::string qualifiers =
      "cta_group::" + std::to_string(getCtaGroupAttr().getInt());
  for (StringRef part :
       {getShape(), getMulticast().value_or(""), getDecompress().value_or("")})
    if (!part.empty())
      qualifiers += "." + part.str();

  printer << ' ';
  printer.printString(qualifiers);
  printer << ' ' << getDst() << ", " << getSrc();
  if (getPred())
    printer << ", pred " << getPred();
  if (getScope() != StringRef(layout::name(CpScope::Thread)))
    printer << ", scope(" << getScope() << ')';
  printer.printOptionalAttrDict(
      llvm::to_vector((*this)->getDiscardableAttrs()));
  printer << " : " << getDst().getType() << ", " << getSrc().getType();
}

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// C1 to C14. The generic form can say everything, so nothing is taken for
/// granted here.
static layout::Result<CpPlan> makePlan(CpOp op) {
  for (auto [name, value] : {std::pair("multicast", op.getMulticast()),
                             std::pair("decompress", op.getDecompress())})
    if (value && value->empty())
      return layout::Error{"C1", std::string("expected ") + name +
                                     " to be absent where there is none, but "
                                     "got an empty string"};
  const layout::Result<CpOpcode> opcode = CpOpcode::create(
      op.getCtaGroupAttr().getInt(), op.getShape(),
      op.getMulticast().value_or(""), op.getDecompress().value_or(""));
  if (!opcode)
    return opcode.error();
  const layout::Result<CpScope> scope = layout::parseCpScope(op.getScope());
  if (!scope)
    return scope.error();
  return layout::planCp(*opcode, op.getDst().getType().toRegion(),
                        op.getSrc().getType().toRegion(), *scope);
}

const layout::Result<CpPlan> &Tcgen05Dialect::getPlan(CpOp op) {
  const CpOp::Properties &properties = op.getProperties();
  const CpPlanKey key{properties.cta_group.getAsOpaquePointer(),
                      properties.shape.getAsOpaquePointer(),
                      properties.multicast.getAsOpaquePointer(),
                      properties.decompress.getAsOpaquePointer(),
                      properties.scope.getAsOpaquePointer(),
                      op.getDst().getType().getAsOpaquePointer(),
                      op.getSrc().getType().getAsOpaquePointer()};
  return cpPlans.get(key, [&] { return makePlan(op); });
}

const layout::Result<CpPlan> &CpOp::getPlan() {
  return static_cast<Tcgen05Dialect *>((*this)->getDialect())->getPlan(*this);
}

/// C15. A module without a target may still get one that has the instruction.
static LogicalResult verifyTarget(CpOp op) {
  auto module = op->getParentOfType<gpu::GPUModuleOp>();
  if (!module || !module.getTargetsAttr())
    return success();
  for (Attribute attribute : module.getTargetsAttr()) {
    auto target = dyn_cast<NVVM::NVVMTargetAttr>(attribute);
    if (!target)
      continue;
    if (auto error = layout::checkCpTarget(target.getChip().str()))
      return report(op, *error);
  }
  return success();
}

LogicalResult CpOp::verify() {
  const layout::Result<CpPlan> &plan = getPlan();
  if (!plan)
    return report(*this, plan.error());
  return verifyTarget(*this);
}
