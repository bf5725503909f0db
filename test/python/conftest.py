"""Settings that all tests in Python share."""

from __future__ import annotations

import os
import pathlib

from hypothesis import HealthCheck, settings

DATA = pathlib.Path(__file__).parent.parent / "data"

# TCGEN05_EXAMPLES=20000 searches longer. Times are not judged, the machine may
# be busy; nothing is written beside the tests.
settings.register_profile(
    "tcgen05",
    max_examples=int(os.environ.get("TCGEN05_EXAMPLES", "300")),
    deadline=None,
    database=None,
    derandomize="TCGEN05_EXAMPLES" not in os.environ,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.load_profile("tcgen05")
