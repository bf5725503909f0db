//===- Dialect.td - The dialect and its base classes -------*- tablegen -*-===//
//
// Part of mlir-tcgen05, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TCGEN05_IR_DIALECT_TD
#define TCGEN05_IR_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"

def Tcgen05_Dialect : Dialect {
  let name = "tcgen05";
  let cppNamespace = "::tcgen05";
  let summary = "Copies from shared memory to tensor memory on Blackwell GPUs";
  let description = [{
    `tcgen05.cp` copies blocks of shared memory into tensor memory (TMEM: 128
    lanes by 512 columns of 32 bits). The instruction is given an address and a
    64-bit descriptor and reads in an order of its own; nothing in it says which
    word ends up where. This dialect says it: operands are regions, whose types
    hold a layout, and the verifier proves that the walk of the hardware reads
    and writes exactly what the types say.

    ```mlir
    #tmem = #tcgen05.layout<[128, 4] : [1@lane, 1@col]>
    #smem = #tcgen05.layout<[128, 4] : [4, 1]>

    func.func @copy(%addr: i32, %ptr: !llvm.ptr<3>) {
      %t = tcgen05.tmem_view %addr : !tcgen05.tmem<128x4xi32, #tmem, columns 32>
      %s = tcgen05.smem_view %ptr : !llvm.ptr<3> -> !tcgen05.smem<128x4xi32, #smem>
      tcgen05.cp "cta_group::1.128x128b" %t, %s : !tcgen05.tmem<128x4xi32, #tmem, columns 32>, !tcgen05.smem<128x4xi32, #smem>
      return
    }
    ```

    Allocation, fences, election, commit, wait and readback are upstream's
    `nvvm` operations.
  }];

  // tcgen05.address yields an LLVM pointer.
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;

  let extraClassDeclaration = [{
    /// The plan of a copy, or the first rule that it breaks. Computed once for
    /// each combination of qualifiers and types; safe to call from many
    /// threads. The reference lives as long as the context.
    const layout::Result<layout::CpPlan> &getPlan(CpOp op);

  private:
    void registerAttributes();
    void registerTypes();

    CpPlanCache cpPlans;

  public:
  }];
}

class Tcgen05_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Tcgen05_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

class Tcgen05_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<Tcgen05_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

class Tcgen05_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tcgen05_Dialect, mnemonic, traits>;

#endif // TCGEN05_IR_DIALECT_TD
