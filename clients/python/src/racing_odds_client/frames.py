"""Rows as a pandas DataFrame, with the types of their schema: instants are UTC timestamps, what is null stays missing,
and no figure is rounded. Needs `pip install racing-odds-client[frames]`."""

from __future__ import annotations

import types
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin

from typing_extensions import NotRequired, Required, get_type_hints, is_typeddict

if TYPE_CHECKING:
    import pandas as pd

Row = Mapping[str, Any]
_DTYPES = {str: "string", int: "Int64", float: "Float64", bool: "boolean"}


def to_frame(rows: Iterable[Row], of: type[Any], *, down: Sequence[str] = ()) -> pd.DataFrame:
    """A row for each of `rows`, with a column for each member of `of`, their type in `schemas`.

    down: the lists that are followed, one in the other: `("runners", "bookmakers")` gives a row for each quote of each
    runner, with columns such as `venue`, `runners.name` and `runners.bookmakers.win_price`. A row whose list is empty
    has no row. Objects are columns of their members; lists that are not followed stay as they are. A member that `of`
    does not have becomes a column as pandas reads it. Columns: `string`, `Int64`, `Float64`, `boolean`, and instants as
    `datetime64[us, UTC]`; a day stays text.
    """
    import pandas as pd

    records = [record for row in rows for record in _records(row, list(down), "")]
    kinds = _columns(of, list(down), "")
    names = dict.fromkeys([*kinds, *(name for record in records for name in record)])
    columns = {name: _series([one.get(name) for one in records], kinds.get(name)) for name in names}
    frame: pd.DataFrame = pd.DataFrame(columns)
    return frame


def _records(row: Row, down: list[str], prefix: str) -> list[dict[str, Any]]:
    """The flat form of a row, once for each row of the list that is followed."""
    own: dict[str, Any] = {}
    for name, value in row.items():
        if down and name == down[0]:
            continue
        if isinstance(value, Mapping):
            own.update(_records(value, [], f"{prefix}{name}.")[0])
        else:
            own[prefix + name] = value
    if not down:
        return [own]
    below = row.get(down[0]) or ()
    return [{**own, **record} for one in below for record in _records(one, down[1:], f"{prefix}{down[0]}.")]


def _columns(of: type[Any], down: list[str], prefix: str) -> dict[str, Any]:
    """Column → type, in the order of the schema."""
    found: dict[str, Any] = {}
    hints = get_type_hints(of, include_extras=True)
    for name, hint in hints.items():
        kind = _plain(hint)
        if down and name == down[0]:
            continue
        found.update(_columns(kind, [], f"{prefix}{name}.") if is_typeddict(kind) else {prefix + name: kind})
    if down:
        if down[0] not in hints:
            raise ValueError(f"{of.__name__} has no list {down[0]}.")
        (kind,) = get_args(_plain(hints[down[0]]))
        found.update(_columns(kind, down[1:], f"{prefix}{down[0]}."))
    return found


def _plain(hint: Any) -> Any:
    """Without `NotRequired` and `None`."""
    if get_origin(hint) in (NotRequired, Required):
        return _plain(get_args(hint)[0])
    if get_origin(hint) in (Union, types.UnionType):
        kinds = [one for one in get_args(hint) if one is not type(None)]
        return _plain(kinds[0]) if len(kinds) == 1 else Any
    return hint


def _series(values: list[Any], kind: Any) -> pd.Series[Any]:
    import pandas as pd

    series: pd.Series[Any]
    if get_origin(kind) is Annotated and "instant" in kind.__metadata__:
        instants = pd.to_datetime(values, utc=True, format="ISO8601")
        series = pd.Series(instants).astype("datetime64[us, UTC]")
    else:
        series = pd.Series(values, dtype=None if kind is None else _dtype(kind))
    return series


def _dtype(kind: Any) -> str:
    if get_origin(kind) is Literal:
        kinds = {type(value) for value in get_args(kind)}
        return _DTYPES[kinds.pop()] if len(kinds) == 1 else "object"
    if get_origin(kind) is Annotated:
        return "string"
    return _DTYPES.get(kind, "object") if isinstance(kind, type) else "object"
