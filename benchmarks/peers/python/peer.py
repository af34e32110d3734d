"""What every program says of a motion, and how it is measured."""
import time
from dataclasses import dataclass

import numpy as np


@dataclass
class Run:
    seconds: float | None = None          # processor time of the whole motion, all threads; none if it has no motion
    right_hand_side: float | None = None  # [s], of accelerations at a new position; none if it does not offer them
    off: float | None = None              # difference of its accelerations at the start from those of mubody
    gap: float | None = None              # largest distance between two points that belong together [m]
    error: float | None = None            # of the answer at the end
    note: str = ""                        # what is not as in the others, and why


class Cannot(Exception):
    """Something that a program does not offer; other exceptions mean that it gives up."""


def seconds_of(work):
    begin = time.process_time()
    work()
    return time.process_time() - begin


def fastest(call, seconds=0.02, repetitions=7):
    """The time of one call [s]: the least of some repetitions, each of many calls."""
    def many(times):
        for _ in range(times):
            call()
    times = 1
    while seconds_of(lambda: many(times)) < seconds:
        times *= 2
    return min(seconds_of(lambda: many(times)) for _ in range(repetitions)) / times


def in_looks(mechanism, between, advance, where, angle):
    """A motion that is advanced from look to look, whose gaps are taken there: a Run.

    `advance(from, to)` is timed; `where(link, point)` and `angle()`, of the watched link since the start, are not."""
    run = Run(seconds=0.0, gap=0.0)
    count = round(mechanism.end / between) if mechanism.loops else 1  # a tree has no gaps, and may take long steps
    for k in range(count):
        run.seconds += seconds_of(lambda: advance(k * mechanism.end / count, (k + 1) * mechanism.end / count))
        run.gap = max(run.gap, mechanism.gap(where))
    run.error = mechanism.error(mechanism.watched_angle + angle(), where(mechanism.watched, mechanism.watched_point))
    if not np.isfinite(run.error):
        raise RuntimeError("its motion leaves all bounds")
    return run
