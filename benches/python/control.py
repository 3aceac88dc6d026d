"""A fixed loop of plain Python, to compare machines by: `python benches/python/control.py` prints its rounds a second.

Figures in the pages are scaled to a machine that runs it at 5.4 million rounds a second: measured figure * 5.4 / rate.
"""

from __future__ import annotations

import time

ROUNDS = 1_000_000
REFERENCE = 5.4e6


def xorshift(rounds: int) -> int:
    """A generator of 64 bits, `rounds` times."""
    state = 88_172_645_463_325_252
    for _ in range(rounds):
        state ^= (state << 13) & 0xFFFF_FFFF_FFFF_FFFF
        state ^= state >> 7
        state ^= (state << 17) & 0xFFFF_FFFF_FFFF_FFFF
    return state


def rate(repeats: int = 3) -> float:
    """Rounds a second of this thread's CPU time, the best of some runs."""
    best = 0.0
    for _ in range(repeats):
        began = time.process_time()
        xorshift(ROUNDS)
        best = max(best, ROUNDS / (time.process_time() - began))
    return best


if __name__ == "__main__":
    found = rate()
    print(f"{found / 1e6:.2f} M rounds/s; figures here times {REFERENCE / found:.3f} are those of the reference machine")
