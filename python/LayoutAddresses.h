//===- LayoutAddresses.h - Walks, descriptors, addresses --------*- C++ -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What names a place to the hardware, bound to Python: the walk, the 64 bits of
// a shared-memory descriptor and the 32 bits of a tensor-memory address. Part
// of the module `_layout`. Numbers of Python are checked before they reach
// arithmetic that is meant for addresses.
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_PYTHON_LAYOUTADDRESSES_H
#define TCGEN05_PYTHON_LAYOUTADDRESSES_H

#include "LayoutArguments.h"
#include "LayoutValue.h"

#include "tcgen05/Layout/SmemDescriptor.h"
#include "tcgen05/Layout/SmemWalk.h"
#include "tcgen05/Layout/TmemAddress.h"

#include <limits>

namespace tcgen05 {
namespace python {

/// Far beyond shared memory, and small enough that a walk cannot overflow.
inline constexpr int64_t kMaxStride = int64_t(1) << 40;
inline constexpr int64_t kMaxRow = (int64_t(1) << 16) - 1;

inline void bindWalk(nb::module_ &m) {
  using namespace layout;
  nb::class_<SmemWalk> walk(
      m, "SmemWalk",
      "The order in which a descriptor reads shared memory, its start "
      "aside.\n\n"
      "Args:\n"
      "    ldo: bytes from four words to the next four, without swizzle only.\n"
      "    sdo: bytes from eight rows to the next eight.\n"
      "    swizzle: the mode.\n\n"
      "Source: PTX ISA, shared memory descriptor; measured on Hopper.");
  walk.def(
      "__init__",
      [](SmemWalk *self, nb::handle ldo, nb::handle sdo, nb::handle swizzle) {
        new (self) SmemWalk{toIntIn(ldo, "ldo", -kMaxStride, kMaxStride),
                            toIntIn(sdo, "sdo", -kMaxStride, kMaxStride),
                            toSwizzle(swizzle)};
      },
      nb::arg("ldo").none() = kUnobservedLdo,
      nb::arg("sdo").none() = kUnobservedSdo,
      nb::arg("swizzle").none() = nb::none(),
      nb::sig("def __init__(self, ldo: int = 16, sdo: int = 0, "
              "swizzle: int | str | Swizzle | None = None) -> None"));
  walk.def_ro("ldo", &SmemWalk::ldo, "Leading-dimension offset in bytes.");
  walk.def_ro("sdo", &SmemWalk::sdo, "Stride-dimension offset in bytes.");
  walk.def_ro("swizzle", &SmemWalk::swizzle, "The swizzle mode.");
  walk.def(
      "address",
      [](const SmemWalk &self, nb::handle start, nb::handle row,
         nb::handle word) {
        return self.address(
            toIntIn(start, "start", -kMaxPosition, kMaxPosition),
            toIntIn(row, "row", 0, kMaxRow), toIntIn(word, "word", 0, kMaxRow));
      },
      nb::arg("start").none(), nb::arg("row").none(), nb::arg("word").none(),
      nb::sig("def address(self, start: int, row: int, word: int) -> int"),
      "The byte that is read for a row and a word, from an absolute start.");
  walk.def("__str__", &SmemWalk::str);
  addValue(
      walk,
      [](const SmemWalk &self) {
        return "SmemWalk(ldo=" + std::to_string(self.ldo) +
               ", sdo=" + std::to_string(self.sdo) + ", swizzle='" +
               std::string(name(self.swizzle)) + "')";
      },
      [](const SmemWalk &self) {
        return nb::make_tuple(self.ldo, self.sdo, self.swizzle);
      });
}

/// A 64-bit word, as an unsigned number.
inline uint64_t toWord(nb::handle object) {
  if (PyBool_Check(object.ptr()) || !PyIndex_Check(object.ptr()))
    raiseType("a descriptor", "an integer", object);
  nb::object index = nb::steal(PyNumber_Index(object.ptr()));
  if (!index.is_valid())
    throw nb::python_error();
  const uint64_t word = PyLong_AsUnsignedLongLong(index.ptr());
  if (PyErr_Occurred()) {
    PyErr_Clear();
    raise("expected a descriptor to be in 0 to 2^64 - 1, but got a number "
          "outside");
  }
  return word;
}

inline layout::SmemDescriptor toDescriptor(nb::handle start, nb::handle ldo,
                                           nb::handle sdo, nb::handle swizzle) {
  const layout::SmemDescriptor value{toInt(start, "start"), toInt(ldo, "ldo"),
                                     toInt(sdo, "sdo"), toSwizzle(swizzle)};
  unwrap(value.encode());
  return value;
}

inline void bindDescriptor(nb::module_ &m) {
  using namespace layout;
  nb::class_<SmemDescriptor> descriptor(
      m, "SmemDescriptor",
      "The 64-bit descriptor of a source in shared memory, in bytes.\n\n"
      "Args:\n"
      "    start: the unswizzled origin, a multiple of 16 below 2**18.\n"
      "    ldo, sdo: strides of the walk, multiples of 16 below 2**18.\n"
      "    swizzle: the mode.\n\n"
      "Raises:\n"
      "    LayoutError: a value does not fit its field.\n\n"
      "Source: PTX ISA, shared memory descriptor of tcgen05.");
  descriptor.def(
      "__init__",
      [](SmemDescriptor *self, nb::handle start, nb::handle ldo, nb::handle sdo,
         nb::handle swizzle) {
        new (self) SmemDescriptor(toDescriptor(start, ldo, sdo, swizzle));
      },
      nb::arg("start").none() = 0, nb::arg("ldo").none() = kUnobservedLdo,
      nb::arg("sdo").none() = kUnobservedSdo,
      nb::arg("swizzle").none() = nb::none(),
      nb::sig("def __init__(self, start: int = 0, ldo: int = 16, sdo: int = 0, "
              "swizzle: int | str | Swizzle | None = None) -> None"));
  descriptor.def_static(
      "encode",
      [](nb::handle start, nb::handle ldo, nb::handle sdo, nb::handle swizzle) {
        return unwrap(toDescriptor(start, ldo, sdo, swizzle).encode());
      },
      nb::arg("start").none(), nb::arg("ldo").none(), nb::arg("sdo").none(),
      nb::arg("swizzle").none() = nb::none(),
      nb::sig("def encode(start: int, ldo: int, sdo: int, "
              "swizzle: int | str | Swizzle | None = None) -> int"),
      "The 64 bits of a descriptor, from bytes. Arguments and errors as of the "
      "class.");
  descriptor.def_static(
      "decode",
      [](nb::handle word) {
        return unwrap(SmemDescriptor::decode(toWord(word)));
      },
      nb::arg("word").none(),
      nb::sig("def decode(word: int) -> SmemDescriptor"),
      "The descriptor of 64 bits.\n\n"
      "Raises:\n"
      "    LayoutError: a constant, reserved or swizzle field is not as any "
      "copy\n        has it.");
  descriptor.def_static(
      "fields",
      [] {
        return tupleOf(kSmemDescriptorFields, [](const Field &field) {
          return nb::make_tuple(std::string(field.name), field.lsb, field.width,
                                std::string(field.meaning));
        });
      },
      nb::sig("def fields() -> tuple[tuple[str, int, int, str], ...]"),
      "Name, lowest bit, width and meaning of each field, from bit 0 on.");
  descriptor.def_ro("start", &SmemDescriptor::start, "Start address in bytes.");
  descriptor.def_ro("ldo", &SmemDescriptor::ldo,
                    "Leading-dimension offset in bytes.");
  descriptor.def_ro("sdo", &SmemDescriptor::sdo,
                    "Stride-dimension offset in bytes.");
  descriptor.def_ro("swizzle", &SmemDescriptor::swizzle, "The swizzle mode.");
  descriptor.def_prop_ro(
      "walk",
      [](const SmemDescriptor &self) {
        return SmemWalk{self.ldo, self.sdo, self.swizzle};
      },
      "The order in which it reads.");
  descriptor.def("__int__", [](const SmemDescriptor &self) {
    return unwrap(self.encode());
  });
  addValue(
      descriptor,
      [](const SmemDescriptor &self) {
        return "SmemDescriptor(start=" + std::to_string(self.start) +
               ", ldo=" + std::to_string(self.ldo) +
               ", sdo=" + std::to_string(self.sdo) + ", swizzle='" +
               std::string(name(self.swizzle)) + "')";
      },
      [](const SmemDescriptor &self) {
        return nb::make_tuple(self.start, self.ldo, self.sdo, self.swizzle);
      });
}

inline void bindTmemAddress(nb::module_ &m) {
  using namespace layout;
  nb::class_<TmemAddress> address(
      m, "TmemAddress",
      "An address of tensor memory: lane << 16 | column.\n\n"
      "Args:\n"
      "    lane: 0 to 127.\n"
      "    col: 0 to 511.\n\n"
      "Raises:\n"
      "    LayoutError: there is no such lane or column.");
  auto make = [](nb::handle lane, nb::handle col) {
    const TmemAddress value{toInt(lane, "lane"), toInt(col, "col")};
    unwrap(value.encode());
    return value;
  };
  address.def(
      "__init__",
      [make](TmemAddress *self, nb::handle lane, nb::handle col) {
        new (self) TmemAddress(make(lane, col));
      },
      nb::arg("lane").none() = 0, nb::arg("col").none() = 0,
      nb::sig("def __init__(self, lane: int = 0, col: int = 0) -> None"));
  address.def_static(
      "encode",
      [make](nb::handle lane, nb::handle col) {
        return unwrap(make(lane, col).encode());
      },
      nb::arg("lane").none(), nb::arg("col").none(),
      nb::sig("def encode(lane: int, col: int) -> int"),
      "The 32 bits of an address.");
  address.def_static(
      "decode",
      [](nb::handle word) {
        return unwrap(TmemAddress::decode(static_cast<uint32_t>(toIntIn(
            word, "address", 0, std::numeric_limits<uint32_t>::max()))));
      },
      nb::arg("address").none(),
      nb::sig("def decode(address: int) -> TmemAddress"),
      "Lane and column of 32 bits.\n\n"
      "Raises:\n"
      "    LayoutError: there is no such lane or column.");
  address.def_ro("lane", &TmemAddress::lane, "0 to 127.");
  address.def_ro("col", &TmemAddress::col, "0 to 511.");
  address.def("__int__",
              [](const TmemAddress &self) { return unwrap(self.encode()); });
  addValue(
      address,
      [](const TmemAddress &self) {
        return "TmemAddress(lane=" + std::to_string(self.lane) +
               ", col=" + std::to_string(self.col) + ")";
      },
      [](const TmemAddress &self) {
        return nb::make_tuple(self.lane, self.col);
      });
}

} // namespace python
} // namespace tcgen05

#endif // TCGEN05_PYTHON_LAYOUTADDRESSES_H
