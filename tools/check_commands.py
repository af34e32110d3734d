#!/usr/bin/env python3
"""What the documents say the program answers is what it answers.

Runs the commands of documents with a built program, each page in an empty folder of its own that has examples/ and docs/:

- Blocks marked `console` or `text`: lines that begin with `$ mubody` are run, and the lines below them are their output; without any
  lines it is enough that they run.  `...` on a line of its own stands for any lines, at the end of a line for the rest of it.
  Times that something took are not compared.
- Blocks marked `sh`, and indented lines that begin with `mubody`: they run.  A block marked `text` right below has lines of
  the output of the last of them.
- Tables with the columns `command` and `expected`: every row is run, and every claim of it must hold; claims stand apart by
  semicolons:
      `text`                   the output, or the report in text, has this text, up to blanks
      crank.angle at 2 s: 1.5  a channel of the results of that row, or of the table that it writes; to the last digit given
      position at most 1e-9    the largest absolute value of a channel
- Fenced blocks below a line `<!-- file: NAME -->` are a file of that folder, several of them one after the other.
- A line `<!-- copy: FROM TO -->` copies a file or folder of that folder.
- A line `<!-- as: mubody ... -->` above a block whose first line is `$ make ...` says which command that target runs; what `make`
  says itself, a line that begins with `mubody: `, is not compared.
- A line `<!-- not run: REASON -->` above a block says that it is not run, `<!-- exit code: N -->` how it ends.

A command that is the same on several pages, reads examples/ and docs/ alone and says where it writes, runs once.

Numbers agree if they do so to a unit of the last digit that is printed, or if both are round-off, below 1e-11.

    tools/check_commands.py PROGRAM [PAGE...]   check these pages, or all
    tools/check_commands.py --self-test         check that planted breaches are found
"""
import csv
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", "docs/**/*.md", "examples/*/README.md")
NUMBER = re.compile(r"(?<![\w.])[-−+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w])")
TIMING = re.compile(r"\bafter \d+(?:\.\d+)? (?:ns|µs|us|ms|s|min)\b|\b\d+(?:\.\d+)? (?:ns|µs|us|ms) (?=per )")
FENCE = re.compile(r"^```(\w*)")
FILE = re.compile(r"<!-- file: (\S+) -->")
COPY = re.compile(r"<!-- copy: (\S+) (\S+) -->")
AS = re.compile(r"<!-- as: (mubody .+) -->")
NOT_RUN = re.compile(r"<!-- not run: .+ -->")
EXIT_CODE = re.compile(r"<!-- exit code: (\d) -->")
AT = re.compile(r"^([\w./]+) at ([\d.eE+-]+) s: ([-−+\d.eE]+)$")
MOST = re.compile(r"^([\w./]+) at most ([\d.eE+-]+)$")
CLAIMS = re.compile(r"(?:`[^`]*`|[^;`])+")
ROUND_OFF = 1e-11
PATIENCE = 300  # s
GIVEN = ("examples", "docs")


def copy_any(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    (shutil.copytree if source.is_dir() else shutil.copy)(source, target)


def value(text):
    return float(text.replace("−", "-"))


def unit_of_last_digit(text):
    mantissa, _, exponent = text.replace("−", "-").lower().partition("e")
    return 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))


def same_number(expected, actual):
    a, b = value(expected), value(actual)
    unit = unit_of_last_digit(expected)
    whole = re.fullmatch(r"[-−+]?\d+", expected) and re.fullmatch(r"[-−+]?\d+", actual)
    return a == b or (not whole and abs(a - b) <= 1.001 * unit) or (abs(a) < ROUND_OFF and abs(b) < ROUND_OFF)


def pieces(line):
    """The words of a line, and its numbers."""
    line = re.sub(r"\s+", " ", TIMING.sub("after a while", line)).strip()
    return NUMBER.sub("#", line), NUMBER.findall(line)


def same_line(expected, actual):
    whole = not expected.endswith("...")
    words, numbers = pieces(expected if whole else expected[:-3])
    actual_words, actual_numbers = pieces(actual)
    alike = words == actual_words if whole else actual_words.startswith(words)
    return alike and all(map(same_number, numbers, actual_numbers))


def first_difference(expected, actual):
    """Why two outputs differ, or None; `...` among the expected lines skips any."""
    skipping, place = False, 0
    for line in expected:
        if line.strip() == "...":
            skipping = True
            continue
        found = next((k for k in range(place, len(actual)) if same_line(line, actual[k])), None)
        if found is None or (found != place and not skipping):
            there = actual[place] if place < len(actual) else "nothing more"
            return f"expected '{line.strip()}', got '{there.strip()}'"
        skipping, place = False, found + 1
    if place < len(actual) and not skipping:
        return f"expected nothing more, got '{actual[place].strip()}'"
    return None


class Shared:
    """What pages have in common: a copy of examples/ and docs/, and the answers to commands that need nothing else."""

    def __init__(self, root, path):
        self.path, self.lock, self.answers = Path(path), threading.Lock(), {}
        for name in GIVEN:
            if (root / name).exists():
                shutil.copytree(root / name, self.path / name, ignore=shutil.ignore_patterns("*.out", "*.html"))

    def slot(self, words):
        """The lock and the answer of a command, which is a dictionary that the first page fills."""
        with self.lock:
            return self.answers.setdefault(tuple(words), (threading.Lock(), {}, self.path / f"answer{len(self.answers)}"))


class Folder:
    """A folder in which the commands of one page run; it begins with examples/ and docs/ alone."""

    def __init__(self, program, shared, path):
        self.program, self.shared, self.path = program, shared, Path(path)
        self.status, self.output = 0, ""
        for name in GIVEN:
            if (shared.path / name).exists():  # links are enough: the program replaces files, it never changes them
                shutil.copytree(shared.path / name, self.path / name, copy_function=os.link)

    def depends_on_page(self, words):
        """Whether a command may read what the page has made before, or does not say where it writes."""
        own = set(os.listdir(self.path)) - set(GIVEN)
        return not {"-o", "--out"} & set(words) or any(name in word for name in own for word in words)

    def call(self, words, apart):
        """Runs the program, or takes the answer and the files of the same command on another page."""
        def run():
            return subprocess.run([str(self.program), *words[1:]], cwd=self.path, text=True, timeout=PATIENCE,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE if apart else subprocess.STDOUT,
                                  check=False)

        if apart or self.depends_on_page(words):
            return run()
        lock, answer, kept = self.shared.slot(words)
        with lock:
            before = set(os.listdir(self.path))
            if not answer:
                answer["done"] = run()
                for name in set(os.listdir(self.path)) - before:
                    copy_any(self.path / name, kept / name)
            elif kept.exists():
                for name in os.listdir(kept):
                    copy_any(kept / name, self.path / name)
            return answer["done"]

    def run(self, command):
        """Output of commands that are joined by &&; errors belong to it."""
        output = ""
        for part in command.split(" && "):
            words = shlex.split(part.partition(" | ")[0], comments=True)
            if words[:1] != ["mubody"]:
                return output, f"'{part}' is no command of mubody"
            target = words[words.index(">") + 1] if ">" in words else None
            words = words[:words.index(">")] if target else words
            try:
                done = self.call(words, bool(target))
            except subprocess.TimeoutExpired:
                return output, f"'{part}' took more than {PATIENCE} s"
            if target:
                (self.path / target).write_text(done.stdout, encoding="utf-8")
            output += done.stderr if target else done.stdout
            report = words[words.index("--report-text") + 1] if "--report-text" in words else ""
            if report and (self.path / report).is_file():
                output += (self.path / report).read_text(encoding="utf-8")
            self.status, self.output = done.returncode, done.stdout
        return output, None

    def must_run(self, command, above):
        """Why a command does not end as it should, or None; the line above its block may say how."""
        output, why = self.run(command)
        last = output.strip().splitlines()[-1:] or ["nothing"]
        wanted = EXIT_CODE.search(above)
        wrong = self.status != int(wanted[1] if wanted else 0)
        return why or (f"'{command}' ends with exit code {self.status}: {last[0].strip()}" if wrong else None)

    def copy(self, name, to):
        copy_any(self.path / name, self.path / to)

    def channel(self, folder, name):
        """(time, value) of a channel in a folder of results."""
        place = self.path / folder
        for table in [place] if place.is_file() else sorted(place.glob("*.csv")):
            with table.open(encoding="utf-8") as rows:
                reader = csv.reader(row for row in rows if not row.startswith("#"))
                head = [title.partition("[")[0] for title in next(reader, [])]
                if head[:1] == ["time"] and name in head:
                    column = head.index(name)
                    return [(float(row[0]), float(row[column])) for row in reader]
        return None


def broken_claim(claim, output, folder, results):
    """Why a claim does not hold, or None."""
    if claim.startswith("`"):
        text = re.sub(r"\s+", " ", claim.strip("`"))
        whole = re.sub(r"\s+", " ", output)
        return None if text in whole else f"the output has no '{text}'"
    at, most = AT.match(claim), MOST.match(claim)
    if not at and not most:
        return f"'{claim}' is no claim"
    name = (at or most)[1]
    rows = folder.channel(results, name) if results else None
    if not rows:
        return f"there is no channel '{name}'"
    if most:
        largest = max(abs(x) for _, x in rows)
        return None if largest <= value(most[2]) else f"{name} reaches {largest:.3g}"
    time = value(at[2])
    t, x = min(rows, key=lambda row: abs(row[0] - time))
    if abs(t - time) > 1e-9:
        return f"there is no row at {time} s"
    unit = unit_of_last_digit(at[3])
    return None if abs(x - value(at[3])) <= 0.51 * unit else f"{name} is {x:.12g} at {time} s, not {at[3]}"


def results_of(command):
    """Where the last command of a row has its results."""
    folders = re.findall(r"--(?:out|table|coefficients) (\S+)", command) or re.findall(r"\b(\S+\.out)\b", command)
    return folders[-1] if folders else None


def check_console(folder, number, lines, where, above):
    found, command, expected = [], None, []

    def close():
        if command is None:
            return
        lines_expected = [line for line in expected if line.strip()]
        if lines_expected:
            output, why = folder.run(command[1])
            why = why or first_difference(lines_expected, [line for line in output.splitlines() if line.strip()])
        else:
            why = folder.must_run(command[1], above)
        if why:
            found.append(f"{where}:{command[0]}: {why}")

    stands_for = AS.search(above)
    for offset, line in enumerate(lines):
        if line.startswith("$ "):
            close()
            said = stands_for[1] if stands_for and line.startswith("$ make ") else line[2:]
            command, expected = ((number + offset, said) if said.startswith("mubody ") else None), []
        elif stands_for and line.startswith("mubody: "):
            continue
        else:
            expected.append(line)
    close()
    return found


def check_shell(folder, number, lines, where, above):
    """Lines that begin with mubody, with those that a backslash joins to them."""
    found, command = [], ""
    for offset, line in enumerate(lines):
        start = offset if not command else start
        command += line.strip().removesuffix("\\")
        if not line.rstrip().endswith("\\"):
            why = folder.must_run(command, above) if command.startswith("mubody ") else None
            found += [f"{where}:{number + start}: {why}"] if why else []
            command = ""
    return found


def check_row(folder, number, cells, columns, where):
    spans = re.findall(r"`([^`]+)`", cells[columns["command"]])
    if not spans:
        return [f"{where}:{number}: the row has no command"]
    output, why = folder.run(" && ".join(spans))
    found = [f"{where}:{number}: {why}"] if why else []
    for claim in filter(None, (c.strip() for c in CLAIMS.findall(cells[columns["expected"]]))):
        why = broken_claim(claim, output, folder, results_of(" && ".join(spans)))
        if why:
            found.append(f"{where}:{number}: {why}")
    return found


def check_page(program, root, shared, page):
    where = page.relative_to(root).as_posix()
    lines = page.read_text(encoding="utf-8").splitlines()
    if not any(re.match(r"(\$ |\s*)mubody ", line) or AS.search(line) or ("| command |" in line and "expected" in line)
               for line in lines):
        return []
    found, columns, k, fresh = [], None, 0, False
    with tempfile.TemporaryDirectory() as place:
        folder = Folder(program, shared, place)
        while k < len(lines):
            line = lines[k]
            fence, copy = FENCE.match(line), COPY.search(line)
            if copy:
                folder.copy(copy[1], copy[2])
            elif fence:
                end = next((n for n in range(k + 1, len(lines)) if lines[n].startswith("```")), len(lines))
                body, above = lines[k + 1:end], lines[k - 1] if k else ""
                name = FILE.search(above)
                if name:
                    with Path(place, name[1]).open("a", encoding="utf-8") as file:
                        file.write("\n".join(body) + "\n")
                check = {"console": check_console, "text": check_console, "sh": check_shell}.get(fence[1])
                if NOT_RUN.search(above):
                    folder.output = ""
                elif fence[1] == "text" and fresh and not any(text.startswith("$ ") for text in body):
                    found += check_excerpt(folder, k + 2, body, where)
                elif check:
                    found += check(folder, k + 2, body, where, above)
                fresh = bool(check) and fence[1] == "sh" and bool(folder.output)
                k, columns = end, None
            elif line.startswith("    mubody ") and not NOT_RUN.search(above_block(lines, k)):
                end = next((n for n in range(k, len(lines)) if not lines[n].startswith("    ")), len(lines))
                found += check_shell(folder, k + 1, lines[k:end], where, above_block(lines, k))
                k, columns, fresh = end - 1, None, bool(folder.output)
            elif line.startswith("|"):
                cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
                if columns is None:
                    columns = {name: n for n, name in enumerate(cells)}
                elif {"command", "expected"} <= columns.keys() and not re.fullmatch(r"[|\s:-]+", line):
                    found += check_row(folder, k + 1, cells, columns, where)
            else:
                columns, fresh = None, fresh and not line.strip()
            k += 1
    return found


def check_excerpt(folder, number, lines, where):
    """Lines of the output of the last command, in their order."""
    spaced = [piece for line in lines if line.strip() for piece in ("...", line)]
    why = first_difference([*spaced, "..."], [line for line in folder.output.splitlines() if line.strip()])
    return [f"{where}:{number}: {why}"] if why else []


def above_block(lines, k):
    """The last line above an indented block that is not blank."""
    return next((lines[n] for n in range(k - 1, -1, -1) if lines[n].strip() and not lines[n].startswith("    ")), "")


def pages_of(root):
    return [page for pattern in PAGES for page in sorted(root.glob(pattern))]


def breaches(program, root, pages):
    with tempfile.TemporaryDirectory() as place, ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        shared = Shared(root, place)
        checked = pool.map(lambda page: check_page(program, root, shared, page), pages)
        return [message for found in checked for message in found]


def self_test():
    """Plants breaches into pages whose program echoes, and expects exactly those."""
    echo = "#!/bin/sh\nif [ \"$1\" = results ]; then mkdir -p o.out; printf 'time[s],a.x[m]\\n0,1\\n2,1.49\\n' > o.out/b.csv; fi\n" \
           "shift; echo \"$@\"; echo 'took 3 lines after 12 ms'\n"
    page = ("<!-- file: in.toml -->\n```toml\nx = 1\n```\n"
            "```console\n$ mubody say 1.234 here\n1.235 here\ntook 3 lines after 99 s\n$ mubody say 1.234\n1.236\n...\n```\n"
            "<!-- as: mubody say 5 -->\n```console\n$ make five\nmubody: here\n6\n...\n```\n"
            "<!-- not run: slow -->\n```console\n$ mubody say no\nyes\n```\n"
            "```console\n$ mubody say 1e-15\n2e-14\n...\n$ mubody say 3\n4\n...\n```\n\n"
            "```sh\nmubody say one\n```\n\n```text\none\n```\n\n    mubody say one\n\n```text\ntwo\n```\n\n"
            "| command | expected |\n|---|---|\n| `mubody say good  news` | `good news`; `3 lines` |\n| `mubody say x` | `y` |\n"
            "| `mubody results --out o.out` | a.x at 2 s: 1.5; a.x at most 2 |\n"
            "| `mubody results --out o.out` | a.x at 2 s: 1.53; a.x at most 1; b.x at 2 s: 0 |\n")
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        program = root / "mubody"
        program.write_text(echo, encoding="utf-8")
        program.chmod(0o755)
        (root / "docs").mkdir()
        (root / "docs/a.md").write_text(page, encoding="utf-8")
        found = [message.split(": ")[0] for message in breaches(program, root, [root / "docs/a.md"])]
    expected = ["docs/a.md:9", "docs/a.md:15", "docs/a.md:29", "docs/a.md:45", "docs/a.md:51", *["docs/a.md:53"] * 3]
    return [] if found == expected else [f"self-test: expected {expected}, found {found}"]


def main(arguments):
    if arguments == ["--self-test"]:
        problems = self_test()
    elif arguments and not arguments[0].startswith("-"):
        pages = [Path(name).resolve() for name in arguments[1:]] or pages_of(ROOT)
        problems = breaches(Path(arguments[0]).resolve(), ROOT, pages)
    else:
        problems = [__doc__]
    print(*problems, sep="\n", end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
