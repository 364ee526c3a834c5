"""The one room that speaks to other systems."""

from __future__ import annotations

import os

# ONNX Runtime reports to its maker from each process that loads it, and reads this while it is
# loaded: to switch it off afterwards is too late.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
