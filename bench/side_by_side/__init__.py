"""One illegal copy through several compilers: what each of them says.

    pip install '.[bench]'
    python -m bench.side_by_side
    python -m bench.side_by_side --out bench/SIDE_BY_SIDE.txt

Somebody pads the rows of a tile: 128 rows of four 32-bit words, eight words from one to the next
and without swizzle, which no descriptor of `tcgen05.cp` reads. The destination is that of the
instruction 128x128b: row r in lane r, word w in column w.

`ours`, `tirx`, `gluon` and `cutedsl` are programs that compile this copy for sm_100a and print what
they made. Each takes the pitch of the rows in words: 8 is the copy above, and 4 the same program
with a legal copy, which shows that nothing else in it is wrong. `runs` starts them, each in a
process of its own, and finds in what was printed the sentences and what is in them; `record`
writes and reads all of it. None of this needs a GPU.
"""
