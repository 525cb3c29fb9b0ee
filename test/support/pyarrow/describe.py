"""Reads Parquet files as a customer's Python does, and prints what pyarrow finds in each as JSON.

Input on stdin: {"month": path, "days": [path, ...]}.
"""

import json
import sys

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq


def described(path):
    file = pq.ParquetFile(path)
    metadata = file.metadata
    groups = []
    for i in range(metadata.num_row_groups):
        group = metadata.row_group(i)
        columns = [group.column(j) for j in range(metadata.num_columns)]
        names = [metadata.schema.column(one.column_index).name for one in group.sorting_columns]
        groups.append(
            {
                "rows": group.num_rows,
                "column_index": all(column.has_column_index for column in columns),
                "offset_index": all(column.has_offset_index for column in columns),
                "sorted_by": names,
                "is_sorted": is_sorted(file.read_row_group(i), names),
                "nulls": [column.statistics.null_count for column in columns],
            }
        )
    return groups


def is_sorted(table, names):
    if not names:
        return False
    places = pc.sort_indices(table, sort_keys=[(name, "ascending", "at_end") for name in names])
    keys = table.select(names)
    return keys.take(places).equals(keys)


given = json.load(sys.stdin)
days = [pq.read_table(path) for path in given["days"]]
month = pq.read_table(given["month"])
last = pc.max(month.column("start_time"))
filtered = pq.read_table(given["month"], filters=[("start_time", "=", last)])
json.dump(
    {
        "version": pa.__version__,
        "month": described(given["month"]),
        "days": [described(path) for path in given["days"]],
        "equal": month.equals(pa.concat_tables(days)),
        "filtered": filtered.equals(month.filter(pc.equal(month.column("start_time"), last))),
        "types": [str(field.type) for field in month.schema],
    },
    sys.stdout,
)
