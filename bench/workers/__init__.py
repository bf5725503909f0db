"""Contenders in processes of their own.

Each module has functions that do a piece of work and return what it cost; the name of the module
is that of the worker, and the name of the function that of the work. `python -m bench.workers NAME`
reads requests from standard input, one JSON object a line: `work` and the arguments. It answers
with `result`, with `missing` where a package is not there, or with `error`.
"""
