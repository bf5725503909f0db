//===- Types.cpp - Regions of tensor and shared memory --------------------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcgen05/IR/Tcgen05.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tcgen05;

#define GET_TYPEDEF_CLASSES
#include "tcgen05/IR/Types.cpp.inc"

//===----------------------------------------------------------------------===//
// What both types share
//===----------------------------------------------------------------------===//

using EmitError = function_ref<InFlightDiagnostic()>;

static int64_t bitsOf(Type elementType) {
  return elementType.isIntOrFloat() ? elementType.getIntOrFloatBitWidth() : 0;
}

/// How messages name an element type. Those of one word are never named, and
/// printing them would be most of the cost of a plan.
static std::string nameOf(Type elementType) {
  std::string name;
  if (bitsOf(elementType) != 32)
    llvm::raw_string_ostream(name) << elementType;
  return name;
}

static LogicalResult verifyTensor(EmitError emitError, ArrayRef<int64_t> shape,
                                  Type elementType, LayoutAttr layout) {
  if (!llvm::is_contained({8, 16, 32, 64}, bitsOf(elementType)))
    return emitError() << "expected elements to be integers or floats of 8, "
                          "16, 32 or 64 bits, but got "
                       << elementType;
  const std::vector<int64_t> expected = layout.toLayout().shape();
  if (shape != ArrayRef<int64_t>(expected)) {
    InFlightDiagnostic diagnostic = emitError();
    diagnostic << "expected shape to be ";
    llvm::interleave(expected, diagnostic, "x");
    diagnostic << ", that of the layout, but got ";
    if (shape.empty())
      diagnostic << "none";
    llvm::interleave(shape, diagnostic, "x");
    return diagnostic;
  }
  return success();
}

static LogicalResult verifyRegion(EmitError emitError,
                                  const std::optional<layout::Error> &error) {
  if (!error)
    return success();
  return report(emitError(), *error);
}

/// `<` SHAPExELEMENT, LAYOUT
static ParseResult parseTensor(AsmParser &parser, SmallVector<int64_t> &shape,
                               Type &elementType, LayoutAttr &layout) {
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(elementType) || parser.parseComma())
    return failure();
  const SMLoc loc = parser.getCurrentLocation();
  Attribute attribute;
  if (parser.parseAttribute(attribute))
    return failure();
  layout = dyn_cast<LayoutAttr>(attribute);
  if (!layout)
    return parser.emitError(loc)
           << "expected layout to be a #tcgen05.layout, but got " << attribute;
  return success();
}

static void printTensor(AsmPrinter &printer, ArrayRef<int64_t> shape,
                        Type elementType, LayoutAttr layout) {
  printer << '<';
  printer.printDimensionList(shape);
  printer << 'x' << elementType << ", ";
  printer.printAttribute(layout);
}

/// KEYWORD integer
static ParseResult parseNumber(AsmParser &parser, StringRef keyword,
                               int64_t &value) {
  return failure(parser.parseKeyword(keyword) || parser.parseInteger(value));
}

//===----------------------------------------------------------------------===//
// TmemType
//===----------------------------------------------------------------------===//

layout::TmemRegion TmemType::toRegion() const {
  return {getLayout().toLayout(), bitsOf(getElementType()), getColumns(),
          nameOf(getElementType())};
}

LogicalResult TmemType::verify(EmitError emitError, ArrayRef<int64_t> shape,
                               Type elementType, LayoutAttr layout,
                               int64_t columns) {
  if (failed(verifyTensor(emitError, shape, elementType, layout)))
    return failure();
  const layout::TmemRegion region{layout.toLayout(), bitsOf(elementType),
                                  columns};
  return verifyRegion(emitError, region.check());
}

Type TmemType::parse(AsmParser &parser) {
  const SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  Type elementType;
  LayoutAttr layout;
  int64_t columns = layout::kColumns;
  if (parseTensor(parser, shape, elementType, layout))
    return {};
  if (succeeded(parser.parseOptionalComma()) &&
      parseNumber(parser, "columns", columns))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<TmemType>(loc, parser.getContext(), shape,
                                     elementType, layout, columns);
}

void TmemType::print(AsmPrinter &printer) const {
  printTensor(printer, getShape(), getElementType(), getLayout());
  if (getColumns() != layout::kColumns)
    printer << ", columns " << getColumns();
  printer << '>';
}

//===----------------------------------------------------------------------===//
// SmemType
//===----------------------------------------------------------------------===//

layout::SmemRegion SmemType::toRegion() const {
  return {getLayout().toLayout(), bitsOf(getElementType()), getAlign(),
          getStorage(), nameOf(getElementType())};
}

std::optional<int64_t>
SmemType::withoutDefault(Type elementType, LayoutAttr layout,
                         std::optional<int64_t> storage) {
  if (!storage)
    return storage;
  // A region that is not one has no image; `verify` will say so.
  const layout::SmemRegion region{layout.toLayout(), bitsOf(elementType)};
  if (region.bits % 8 != 0 || region.check() || *storage != region.imageBytes())
    return storage;
  return std::nullopt;
}

LogicalResult SmemType::verify(EmitError emitError, ArrayRef<int64_t> shape,
                               Type elementType, LayoutAttr layout,
                               int64_t align, std::optional<int64_t> storage) {
  if (failed(verifyTensor(emitError, shape, elementType, layout)))
    return failure();
  const layout::SmemRegion region{layout.toLayout(), bitsOf(elementType), align,
                                  storage};
  return verifyRegion(emitError, region.check());
}

Type SmemType::parse(AsmParser &parser) {
  const SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  Type elementType;
  LayoutAttr layout;
  int64_t align = layout::kDefaultAlign;
  std::optional<int64_t> storage;
  if (parseTensor(parser, shape, elementType, layout))
    return {};
  bool more = succeeded(parser.parseOptionalComma());
  if (more && succeeded(parser.parseOptionalKeyword("align"))) {
    if (parser.parseInteger(align))
      return {};
    more = succeeded(parser.parseOptionalComma());
  }
  if (more) {
    int64_t bytes = 0;
    if (parseNumber(parser, "storage", bytes))
      return {};
    storage = bytes;
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<SmemType>(loc, shape, elementType, layout, align,
                                     storage);
}

void SmemType::print(AsmPrinter &printer) const {
  printTensor(printer, getShape(), getElementType(), getLayout());
  if (getAlign() != layout::kDefaultAlign)
    printer << ", align " << getAlign();
  if (getStorage())
    printer << ", storage " << *getStorage();
  printer << '>';
}

void Tcgen05Dialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tcgen05/IR/Types.cpp.inc"
      >();
}
