# Sanitizers and the coverage of libFuzzer, for this project's own code alone:
# LLVM and MLIR come compiled. UBSan's vptr needs RTTI, which they are built
# without; what else uninstrumented code cannot bear is turned off at run time,
# by ASAN_OPTIONS in test/lit.cfg.py.
if(TCGEN05_BUILD_FUZZERS)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "expected Clang for TCGEN05_BUILD_FUZZERS, but got ${CMAKE_CXX_COMPILER_ID}")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(TCGEN05_SANITIZE)
  add_compile_options("-fsanitize=${TCGEN05_SANITIZE}" -fno-sanitize=vptr
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options("-fsanitize=${TCGEN05_SANITIZE}")
  # What the runtimes define is left undefined in shared libraries.
  foreach(kind IN ITEMS SHARED MODULE)
    string(REPLACE "-Wl,-z,defs" "" CMAKE_${kind}_LINKER_FLAGS "${CMAKE_${kind}_LINKER_FLAGS}")
  endforeach()
endif()
