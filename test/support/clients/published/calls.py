"""The calls of one method: with what it needs, and then with one more parameter each, so that a refusal names one."""

from typing import Any, Iterable, Iterator, Mapping


def calls_of(
    method: str, required: Iterable[str], optional: Iterable[str], given: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """`given`: {"values": by parameter, "own": by method, for it alone, "needs": by method, each way to call it}."""
    values = {**given["values"], **given["own"].get(method, {})}

    def all_of(name: str) -> list[Any]:
        # A newer client takes more.
        if name not in values:
            raise KeyError(f"The test has no value for {method}({name})")
        return values[name]

    ways = [{name: all_of(name)[0] for name in [*required, *more]} for more in given["needs"].get(method, [[]])]
    yield from ways
    for name in [*required, *optional]:
        for value in all_of(name):
            if name not in ways[0] or ways[0][name] != value:
                yield {**ways[0], name: value}
