#!/usr/bin/env python3
"""Kills commands at random times and looks at what they leave.

  tools/kill_test.py PROGRAM [N] [--seed S]

Each of run, report, precompute, sweep, compare and convert is killed in turn, N kills in all, at times that are spread over
what the command takes; one that came too late does not count.  After every kill each file is whole, being the old one or
the new one, and nothing that was there is lost.  The same command is then run to its end, after which no temporary file is
left.  Prints the number of kills, and how many of them met a command while it was at work on files.
"""
import csv
import hashlib
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

MODEL = """name = "pendulum"
gravity = [0, -9.81]
[parameters]
m = 2
[bodies]
rod = {mass = "= m", inertia = 0.1, position = [0.5, 0]}
[joints]
pin = {type = "revolute", bodies = ["ground", "rod"], at = [0, 0]}
[points]
tip = {body = "rod", at = [0.5, 0]}
[analysis]
end = 2
integrator = "rk4"
step = 1e-2
treatment = "baumgarte"
[output]
step = 1e-2
"""
TEMPORARY = re.compile(r"\.mubody-[0-9A-Za-z]{12}$")


def fail(what):
    sys.exit(f"kill_test: {what}")


def files_in(folder):
    return sorted(p for p in folder.rglob("*") if p.is_file())


def temporaries(folder):
    return [p for p in folder.rglob("*") if TEMPORARY.search(p.name)]


def whole_csv(path):
    """A CSV file ends with a line end, and all of its rows have as many cells."""
    text = path.read_text()
    rows = list(csv.reader(line for line in text.splitlines() if not line.startswith("#")))
    return text.endswith("\n") and len({len(r) for r in rows}) == 1


def whole_results(folder):
    """The tables are those that the summary tells of.  None if it says that they are being replaced."""
    summary = json.loads((folder / "summary.json").read_text())
    if summary["outcome"]["word"] == "unfinished":
        return None
    for entry in summary["files"]:
        rows = (folder / entry["name"]).read_text().splitlines()
        if len(rows) != entry["rows"] + 1:
            return False
    return True


def whole_page(path):
    return path.read_text().rstrip().endswith("</html>")


def whole_tables(path):
    """The size and the checksum of Fowler, Noll and Vo in the second line are those of the rest."""
    data = path.read_bytes()
    title, second, rest = data.split(b"\n", 2)
    size, total = (int(number, 16) for number in second.split())
    value = 14695981039346656037
    for byte in rest:
        value = ((value ^ byte) * 1099511628211) & 0xFFFFFFFFFFFFFFFF
    return title.startswith(b"mubody real-time model") and size == len(rest) and total == value


def whole_c(folder):
    """Both files are closed, the header by its guard."""
    header, source = (folder / "rod.h").read_text(), (folder / "rod.c").read_text()
    return header.rstrip().endswith("#endif") and source.count("{") == source.count("}") and source.endswith("\n")


class Command:
    def __init__(self, words, check, keeps=()):
        self.words, self.check, self.keeps = words, check, keeps


def check_folder_with_own_files(folder):
    if (folder / "mine/notes.txt").read_text() != "mine":
        fail("a file of the user is lost")
    return whole_results(folder / "mine") is not False


def commands():
    """What is killed, with what must hold after it, where a file of an earlier command is there already."""
    return {
        "run": Command(["run", "model.toml", "-q", "-o", "out", "--report"],
                       lambda f: whole_results(f / "out") is True and whole_page(f / "out/report.html")),
        "run beside files of the user": Command(["run", "model.toml", "-q", "-o", "mine"], check_folder_with_own_files),
        "report": Command(["report", "model.toml", "-q", "-o", "page.html"], lambda f: whole_page(f / "page.html")),
        "precompute": Command(["precompute", "model.toml", "-q", "-o", "model.rt", "--emit-c", "c", "--name", "rod"],
                              lambda f: whole_tables(f / "model.rt") and whole_c(f / "c")),
        "sweep": Command(["sweep", "model.toml", "-q", "--vary", "m=1:2:64", "-o", "rows.csv", "--force"],
                         lambda f: whole_csv(f / "rows.csv") and len(f.joinpath("rows.csv").read_text().splitlines()) == 66),
        "compare": Command(["compare", "model.toml", "-q", "-o", "methods", "--report", "--repeat", "1",
                            "--treatments", "baumgarte,projection"],
                           lambda f: all(whole_csv(p) for p in (f / "methods").glob("*.csv"))
                           and len(list((f / "methods").glob("*.csv"))) == 3 and whole_page(f / "methods/report.html")),
        "convert": Command(["convert", "model.toml", "model.mub", "--force"],
                           lambda f: (f / "model.mub").read_text().count("TIME_PARAMETERS") == 1),
    }


class Bench:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def start(self, command):
        return subprocess.Popen([self.program, *command.words], cwd=self.folder, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE)

    def finish(self, name, command):
        begin = time.monotonic()
        process = self.start(command)
        _, error = process.communicate(timeout=300)
        if process.returncode != 0:
            fail(f"{name} ends with {process.returncode}: {error.decode()}")
        return time.monotonic() - begin

    def kill(self, command, after):
        """Whether the command was still running."""
        process = self.start(command)
        time.sleep(after)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        return process.returncode == -signal.SIGKILL


def main():
    words = [w for w in sys.argv[1:] if not w.startswith("--")]
    seed = int(sys.argv[sys.argv.index("--seed") + 1]) if "--seed" in sys.argv else 1
    if "--seed" in sys.argv:
        words.remove(str(seed))
    program, kills = os.path.abspath(words[0]), int(words[1]) if len(words) > 1 else 20
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "model.toml").write_text(MODEL)
        (folder / "mine").mkdir()
        (folder / "mine/notes.txt").write_text("mine")
        model = hashlib.sha256(MODEL.encode()).digest()
        bench, all_commands = Bench(program, folder), commands()
        lasts = {n: min(bench.finish(n, c) for _ in range(2)) for n, c in all_commands.items()}
        names = {p for p in files_in(folder)}
        hit = at_work = tried = 0
        while hit < kills and tried < 5 * kills:
            k, tried = tried, tried + 1
            label = list(all_commands)[k % len(all_commands)]
            command = all_commands[label]
            # Files are written at the end, which is where most of the kills go.
            share = chance.random() if k % 3 == 0 else chance.uniform(0.7, 1.05)
            hit += bench.kill(command, share * lasts[label])
            at_work += bool(temporaries(folder))
            if not command.check(folder):
                fail(f"{label}: killed after {share:.3f} of its time, and what is there is not whole")
            if hashlib.sha256((folder / "model.toml").read_bytes()).digest() != model:
                fail(f"{label}: the model is not what it was")
            lasts[label] = bench.finish(label, command)  # which depends on what else the machine does
            if not command.check(folder):
                fail(f"{label}: not whole after the next run")
            if temporaries(folder) or {p for p in files_in(folder)} != names:
                fail(f"{label}: left behind {sorted(set(files_in(folder)) ^ names)} {temporaries(folder)}")
        if hit < kills:
            fail(f"only {hit} of {tried} kills met a command that was still running")
        print(f"kill_test: {hit} kills, {at_work} of them among files that were being written; all files whole, nothing "
              f"lost, nothing left behind")


if __name__ == "__main__":
    main()
