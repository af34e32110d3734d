#!/usr/bin/env python3
"""Compares the rows of two sweeps of the same points, whatever their order.

    tools/compare_rows.py A.csv B.csv WITHIN

Prints the largest difference of every column; fails if one is larger than WITHIN times the largest number of its column, or if
points or outcomes differ.
"""
import csv
import sys


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        lines = list(csv.reader(file))
    return lines[1], {line[0]: line for line in lines[2:]}


def main(first, second, within):
    names, a = rows_of(first)
    _, b = rows_of(second)
    if a.keys() != b.keys():
        sys.exit(f"{len(a)} and {len(b)} points, or others")
    failed = sum(a[k][-2] != b[k][-2] for k in a)
    print(f"{len(a)} points, {failed} with another outcome")
    for column in range(1, len(names) - 4):
        size = max((abs(float(row[column] or 0)) for row in a.values()), default=0)
        worst = max(abs(float(a[k][column] or "nan") - float(b[k][column] or "nan")) for k in a)
        holds = worst <= within * max(size, 1e-12)
        failed += not holds
        if worst > 0 or not holds:
            print(f"  {names[column]}: {worst:.2e} of {size:.4g}{'' if holds else ': TOO MUCH'}")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
