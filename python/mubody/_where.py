"""The line of a user's program from which this package was called."""
import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))


def caller():
    """File and line of the innermost frame outside this package."""
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_HERE):
        frame = frame.f_back
    if frame is None:
        return "<python>", 1
    return _short(frame.f_code.co_filename), frame.f_lineno


def depth():
    """The number of frames of this package above the user's, for `warnings`."""
    frame, count = sys._getframe(1), 1
    while frame is not None and frame.f_code.co_filename.startswith(_HERE):
        frame, count = frame.f_back, count + 1
    return count


def _short(name):
    if not os.path.isabs(name):
        return name
    try:
        near = os.path.relpath(name)
    except (OSError, ValueError):
        return name
    return near if len(near) < len(name) else name
