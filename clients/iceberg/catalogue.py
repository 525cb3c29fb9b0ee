"""Makes an Iceberg catalogue over a folder that `odds mirror` keeps, or brings it up to date.

    pip install "pyiceberg[pyarrow,sql-sqlite]"
    python catalogue.py MIRROR CATALOGUE

The files stay where they are: the catalogue (SQLite) and its metadata are in the folder CATALOGUE. Each dataset is a
table `racing.<dataset>`, and a run replaces its list of files in one transaction. A table is read as of its last run:
earlier snapshots name files that the mirror may have replaced.
"""

import argparse
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.expressions import AlwaysTrue

NAMESPACE = "racing"


def address(path: Path) -> str:
    # As PyIceberg reads it: nothing is percent-encoded.
    return f"file://{path.resolve()}"


def open_catalogue(folder: Path) -> SqlCatalog:
    folder.mkdir(parents=True, exist_ok=True)
    catalogue = SqlCatalog("odds", uri=f"sqlite:///{folder.resolve()}/catalogue.db", warehouse=address(folder))
    catalogue.create_namespace_if_not_exists(NAMESPACE)
    return catalogue


def update(mirror: Path, catalogue: SqlCatalog) -> dict[str, int]:
    """Lists the mirrored files of each dataset. Returns how many, by dataset."""
    counts = {}
    for folder in sorted(mirror.glob("dataset=*")):
        dataset = folder.name.removeprefix("dataset=")
        files = sorted(folder.glob("month=*/day=*/*.parquet"))
        if files:
            replace_files(catalogue, f"{NAMESPACE}.{dataset}", files)
            counts[dataset] = len(files)
    return counts


def replace_files(catalogue: SqlCatalog, name: str, files: list[Path]) -> None:
    # A column that was added later is missing in older files: it has to allow null.
    columns = pa.unify_schemas([pq.read_schema(file) for file in files])
    schema = pa.schema([column.with_nullable(True) for column in columns])
    table = catalogue.create_table_if_not_exists(name, schema=schema)
    with table.transaction() as change:
        with change.update_schema() as evolved:
            evolved.union_by_name(schema)
        if table.current_snapshot():
            change.delete(AlwaysTrue())
        change.add_files([address(file) for file in files])


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes an Iceberg catalogue over mirrored files.")
    parser.add_argument("mirror", type=Path)
    parser.add_argument("catalogue", type=Path)
    given = parser.parse_args()
    for dataset, files in update(given.mirror, open_catalogue(given.catalogue)).items():
        print(f"{NAMESPACE}.{dataset}: {files} files")


if __name__ == "__main__":
    main()
