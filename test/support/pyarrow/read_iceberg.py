"""Reads a table of a catalogue by PyIceberg, and prints its rows as JSON.

Arguments: the folder of catalogue.py, the folder of the catalogue, the table, a filter or nothing.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, sys.argv[1])

from catalogue import open_catalogue  # noqa: E402

table = open_catalogue(Path(sys.argv[2])).load_table(sys.argv[3])
scan = table.scan(row_filter=sys.argv[4]) if len(sys.argv) > 4 else table.scan()
rows = scan.to_arrow().to_pylist()
files = [task.file.file_path for task in scan.plan_files()]
json.dump({"rows": [[str(cell) for cell in row.values()] for row in rows], "files": len(files)}, sys.stdout)
