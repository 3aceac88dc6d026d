"""What is known of a wheel without loading its compiled module: `tools/wheel.py` writes these values into the wheel's own copy.

An installation from source has the values below: its module runs on every processor of its architecture.
"""

BUILD_ID = ""
"""Hash of the tracked files the wheel was made from (`tools/build_id.py`), or nothing."""

CPU_LEVEL = ""
"""The oldest processors that the wheel is for, `x86-64-v2`, or nothing where every one will do."""
