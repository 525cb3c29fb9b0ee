"""The live board as a stream keeps it: after each batch it is equal to `next-to-go`, ages apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..generated.schemas import NextRace
from .stream import ReplayBatch, StreamBatch

_LEGS = ("win_price", "place_price", "top2_price", "top3_price", "top4_price", "tote_win")
_OPTIONAL = (*_LEGS[1:], "source_url")
"""Absent from a quote where a row has null."""


class Board:
    def __init__(self) -> None:
        self.races: dict[str, NextRace] = {}
        """By `race_id`."""
        self.stale_after_seconds: Mapping[str, float] = {"live": 120, "card": 1800}
        """A quote is stale when it is older than this, by its `refresh_tier`."""

    def apply(self, batch: StreamBatch | ReplayBatch) -> None:
        for one in batch.events:
            self._apply(one["event"], one["data"])

    def _apply(self, event: str, data: Any) -> None:
        if event == "reset":
            self.races.clear()
        elif event == "race":
            self.races[data["race_id"]] = _own(data)
        elif event == "gone":
            self.races.pop(data["race_id"], None)
        elif event == "changes":
            for race in data["races"]:
                self._change(race)
        elif event == "freshness":
            self.stale_after_seconds = data["stale_after_seconds"]
            for race in data["races"]:
                self._refresh(race)

    def _change(self, changed: Mapping[str, Any]) -> None:
        race: Any = self.races.get(changed["race_id"])
        if race is None:
            return
        race.update({name: value for name, value in changed.items() if name in race})
        by_number = {runner["number"]: runner for runner in race["runners"]}
        for row in changed["changed_runners"]:
            runner = by_number.get(row["number"])
            if runner is None:
                continue
            others = [quote for quote in runner["bookmakers"] if quote["key"] != row["bookmaker_key"]]
            runner["bookmakers"] = sorted([*others, *_quote_of(row)], key=lambda quote: str(quote["key"]))

    def _refresh(self, race: Mapping[str, Any]) -> None:
        by_key = {book["key"]: book for book in race["books"]}
        known: Any = self.races.get(race["race_id"])
        for runner in known["runners"] if known else ():
            for quote in runner["bookmakers"]:
                quote.update(by_key.get(quote["key"], {}))


def _own(race: Any) -> Any:
    """A batch that the program keeps does not change with the board."""
    runners = [{**runner, "bookmakers": [dict(quote) for quote in runner["bookmakers"]]} for runner in race["runners"]]
    return {**race, "runners": runners}


def _quote_of(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """As `next-to-go` has it: one quote, or none."""
    if all(row[leg] is None for leg in _LEGS):
        return []
    others = ("name", "number", "bookmaker_key", "updated_at")
    quote = {"key": row["bookmaker_key"], **{name: value for name, value in row.items() if name not in others}}
    quote["last_update"] = row["updated_at"]
    return [{name: value for name, value in quote.items() if value is not None or name not in _OPTIONAL}]
