#!/usr/bin/env python3
"""The same mechanisms in programs from PyPI: the cost of a motion, and its accuracy.

    mubody_peers --json > contests.json
    compare.py contests.json [P1 P2 ...]        all problems, or some of them

Each program is a file with_NAME.py here, and runs in a process of its own, with one thread.  It has NAME, VERSION and
methods(mechanism, step, between): by the name of a method what computes a Run; `step` is that of methods with fixed steps,
`between` the interval at which gaps are taken.  Times are those of the processor.  The steps of all programs but Pinocchio,
which takes none, are taken in C++.  mubody's own times are taken by mubody_peers: whole runs in C++, with 100 rows of results,
which no other program writes."""
import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PATIENCE = 120  # for one program [s]
ROW = "  {:<10} {:<31} {:>9} {:>10} {:>8} {:>9} {:>11} {:>9}"


def repeated(work, times=3, short=0.5):
    """The fastest of some runs, as mubody's is; long ones are not repeated."""
    best = work()
    for _ in range(times - 1):
        if best.seconds is not None and best.seconds < short:
            best = min(best, work(), key=lambda run: run.seconds)
    return best


def row_of(method, work):
    from peer import Cannot
    try:
        return {"method": method, **dataclasses.asdict(repeated(work))}
    except Cannot as why:
        return {"method": method, "cannot": f"cannot: {why}"}
    except Exception as why:  # whatever a program throws is what it has to say
        return {"method": method, "cannot": f"gives up: {' '.join(str(why).split())[:150]}"}


def run_one(program, file, *wanted):
    """One program, in this process: its name, and the rows of its methods as they come, each a line of JSON."""
    module = __import__(program)
    import mechanism
    problems, step, between = mechanism.read(Path(file).read_text())
    print(json.dumps({"name": module.NAME, "version": module.VERSION}), flush=True)
    for m in problems:
        if wanted and m.id not in wanted:
            continue
        for method, work in module.methods(m, step, between).items():
            print(json.dumps({"id": m.id, **row_of(method, work)}), flush=True)


def ask(program, file, wanted):
    """The same in a process of its own, with one thread: what it has said, and what has gone wrong."""
    one = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
    file = Path(file).resolve()
    command = [sys.executable, "-B", str(HERE / "compare.py"), "--program", program, str(file), *wanted]
    name = program.removeprefix("with_")
    try:
        # Some write logs where they are.
        done = subprocess.run(command, capture_output=True, timeout=PATIENCE, env={**os.environ, **one}, cwd=file.parent)
        said, why = done.stdout, ""
        if done.returncode != 0:
            last = done.stderr.decode(errors="replace").strip().splitlines() or [f"it ends with {done.returncode}"]
            why = f"{name}: cannot be used here: {last[-1][:150]}"
    except subprocess.TimeoutExpired as late:
        said, why = late.stdout or b"", f"{name}: has not finished after {PATIENCE} s; what it has done by then is below"
    return [json.loads(line) for line in said.decode(errors="replace").splitlines() if line.startswith("{")], why


def number(value, form):
    return "" if value is None else format(value, form)


def print_row(program, row, end, unit):
    if "cannot" in row:
        print(f"  {program:<10} {row['method']:<31} {row['cannot']}")
        return
    seconds, side = row.get("seconds"), row.get("right_hand_side")
    print(ROW.format(program, row["method"], number(side and 1e6 * side, ".2f"), number(seconds and 1e3 * seconds / end, ".3g"),
                     number(seconds and seconds / unit, ".3g"), number(row.get("gap"), ".1e"),
                     number(row.get("error"), ".1e"), number(row.get("off"), ".1e")))
    if row.get("note"):
        print(f"  {'':<10}   {row['note']}")


def print_problem(p, answers):
    unit = "rad" if p["dim"] == 2 else "m"
    print(f"\n{p['id']} {p['name']}, {p['end']:g} s")
    print(ROW.format("", "", "rhs [us]", "1 s [ms]", "mubody", "gap [m]", f"error [{unit}]", "start"))
    first = p["own"][0]["seconds"]
    for row in p["own"]:
        print_row("mubody", row, p["end"], first)
    for who, *rows in answers:
        for row in rows:
            if row["id"] == p["id"]:
                print_row(who["name"], row, p["end"], first)
    if p["expected_within"]:
        print(f"  the answer in body and in joint coordinates differs by {p['expected_within']:.1e} {unit}")


def main(file, *wanted):
    answers, missing = [], []
    for program in sorted(path.stem for path in HERE.glob("with_*.py")):
        said, why = ask(program, file, wanted)
        answers += [said] if said else []
        missing += [why] if why else []
    names = ", ".join(f"{said[0]['name']} {said[0]['version']}" for said in answers)
    print(f"mubody beside {names or 'nothing else'}\n"
          "rhs: accelerations at a new position; 1 s: processor time of one second of motion, and beside it in units of mubody's\n"
          "first row; gap: the largest in a pin; error: at the end; start: difference of accelerations from mubody's, of the largest")
    for why in missing:
        print(f"  {why}")
    for p in json.loads(Path(file).read_text())["problems"]:
        if not wanted or p["id"] in wanted:
            print_problem(p, answers)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if sys.argv[1] == "--program":
        run_one(*sys.argv[2:])
    else:
        main(*sys.argv[1:])
