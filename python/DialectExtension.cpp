//===- DialectExtension.cpp - registers the dialect with stock MLIR -------===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The Python module `_tcgen05`: puts the dialect into contexts and registries
// of the stock `mlir` package, and its passes into the pass registry of the
// process. It speaks the C API only; what the dialect is lies in the shared
// library beside it.
//
//===----------------------------------------------------------------------===//

#include "mlir/Bindings/Python/NanobindAdaptors.h"
#include "tcgen05-c/Tcgen05.h"

#include <string>

namespace nb = nanobind;

/// The capsule behind an object of the `mlir` package, or the object itself.
static nb::object getCapsule(nb::handle object) {
  if (PyCapsule_CheckExact(object.ptr()))
    return nb::borrow(object);
  return nb::getattr(object, MLIR_PYTHON_CAPI_PTR_ATTR, nb::none());
}

[[noreturn]] static void throwUnexpected(const char *expected, nb::handle got) {
  const std::string message =
      std::string("expected context to be ") + expected + ", but got " +
      nb::cast<std::string>(nb::str(got.type().attr("__qualname__")));
  throw nb::type_error(message.c_str());
}

/// One function for both kinds of target. Overloads would not do: the caster
/// that is tried first leaves a Python error behind when it refuses.
static void registerDialect(nb::handle target, bool load) {
  MlirDialectHandle dialect = mlirGetDialectHandle__tcgen05__();
  nb::object capsule = getCapsule(target);
  if (PyCapsule_IsValid(capsule.ptr(), MLIR_PYTHON_CAPSULE_CONTEXT)) {
    MlirContext context = mlirPythonCapsuleToContext(capsule.ptr());
    mlirDialectHandleRegisterDialect(dialect, context);
    if (load)
      mlirDialectHandleLoadDialect(dialect, context);
    return;
  }
  if (PyCapsule_IsValid(capsule.ptr(), MLIR_PYTHON_CAPSULE_DIALECT_REGISTRY)) {
    mlirDialectHandleInsertDialect(
        dialect, mlirPythonCapsuleToDialectRegistry(capsule.ptr()));
    return;
  }
  throwUnexpected("an mlir.ir.Context or an mlir.ir.DialectRegistry", target);
}

/// An `mlir.ir.Module`, or None if the source is not legal.
static nb::object parseModule(nb::handle context, nb::handle source,
                              bool verify) {
  nb::object capsule = getCapsule(context);
  if (!PyCapsule_IsValid(capsule.ptr(), MLIR_PYTHON_CAPSULE_CONTEXT))
    throwUnexpected("an mlir.ir.Context", context);
  MlirContext mlirContext = mlirPythonCapsuleToContext(capsule.ptr());
  // Text or bytecode. Of text Python keeps a UTF-8 copy that ends in zero, as
  // the parser of text wants it.
  const char *data;
  Py_ssize_t size;
  if (PyUnicode_Check(source.ptr())) {
    data = PyUnicode_AsUTF8AndSize(source.ptr(), &size);
    if (!data)
      throw nb::python_error();
  } else {
    char *bytes;
    if (PyBytes_AsStringAndSize(source.ptr(), &bytes, &size) != 0)
      throw nb::python_error();
    data = bytes;
  }
  MlirModule module = tcgen05ModuleCreateParse(
      mlirContext, mlirStringRefCreate(data, static_cast<size_t>(size)),
      verify);
  if (mlirModuleIsNull(module))
    return nb::none();
  return nb::module_::import_("mlir.ir").attr("Module").attr(
      MLIR_PYTHON_CAPI_FACTORY_ATTR)(
      nb::steal<nb::object>(mlirPythonModuleToCapsule(module)));
}

NB_MODULE(_tcgen05, m) {
  m.doc() = "Registration of the tcgen05 dialect with the mlir package.";

  // Importing the module is enough for `PassManager.parse` to know the passes.
  tcgen05RegisterPasses();

  m.def("register_dialect", &registerDialect, nb::arg("context").none(),
        nb::arg("load") = true,
        nb::sig("def register_dialect(context: mlir.ir.Context | "
                "mlir.ir.DialectRegistry, load: bool = True) -> None"),
        "Makes the tcgen05 dialect known to a context or a dialect registry.\n"
        "\n"
        "A context also loads it unless `load` is false; a registry hands it "
        "to the contexts\nthat are made from it.\n"
        "\n"
        "Raises:\n"
        "    TypeError: `context` is neither of the two.");

  m.def("parse_module", &parseModule, nb::arg("context").none(),
        nb::arg("source"), nb::arg("verify") = true,
        nb::sig("def parse_module(context: mlir.ir.Context, source: str | "
                "bytes, verify: bool = True) -> mlir.ir.Module | None"),
        "Parses and verifies a module whose gpu.modules may name any chip that "
        "has tcgen05.cp.\n"
        "\n"
        "The stock parser refuses nvvm.tcgen05 operations under all but two of "
        "them. Diagnostics go to\nthe handlers of the context; a source that "
        "is not legal gives None. Without\n`verify` the module may hold "
        "operations that their verifiers refuse.\n"
        "\n"
        "Raises:\n"
        "    TypeError: `context` is no context, or `source` neither text nor "
        "bytes.");
}
