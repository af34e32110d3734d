"""Results as files of Apache Arrow, which pandas, polars, R and others read; with pyarrow."""
import json

from .results import restored


def _arrow():
    try:
        import pyarrow
        import pyarrow.feather
    except ImportError as error:
        raise ImportError("files of Arrow need pyarrow (pip install pyarrow); .npz and folders do without",
                          name="pyarrow") from error
    return pyarrow


def save_arrow(results, path):
    """One column for each channel over time, with its unit; the rest as JSON, `mubody`, about the columns."""
    arrow = _arrow()
    state = results._core.state()
    columns, fields, tables = [], [], []
    for name, names, units, rows in state.pop("tables"):
        first = dict(zip(names, rows.T)).get("time")
        over_time = first is not None and "time" in results and _same(first, results.time)
        tables.append([name, names, units, None if over_time else rows.tolist()])
        if not over_time:
            continue
        for channel, unit, values in zip(names, units, rows.T):
            if channel in results and not any(field.name == channel for field in fields):
                columns.append(arrow.array(values))
                fields.append(arrow.field(channel, arrow.float64(), metadata={"unit": unit}))
    about = json.dumps({**state, "tables": tables})
    table = arrow.Table.from_arrays(columns, schema=arrow.schema(fields, metadata={"mubody": about}))
    arrow.feather.write_feather(table, path, compression="uncompressed")


def _same(a, b):
    return len(a) == len(b) and bool((a == b).all())


def load_arrow(path):
    import numpy
    arrow = _arrow()
    try:
        table = arrow.feather.read_table(path)
        state = json.loads((table.schema.metadata or {})[b"mubody"])
        columns = {name: table.column(name).to_numpy() for name in table.column_names}
        state["tables"] = [
            (name, names, units, numpy.array(rows, float).reshape(-1, len(names)) if rows is not None
             else numpy.column_stack([columns[channel] for channel in names]))
            for name, names, units, rows in state["tables"]]
    except (KeyError, ValueError, TypeError, arrow.ArrowInvalid) as error:
        raise ValueError(f"{path}: these are no results of mubody") from error
    return restored(state)
