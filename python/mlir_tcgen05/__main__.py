"""`python -m mlir_tcgen05`: the command line `tcgen05`."""

from mlir_tcgen05.cli import main

if __name__ == "__main__":
    main(prog_name="tcgen05")
