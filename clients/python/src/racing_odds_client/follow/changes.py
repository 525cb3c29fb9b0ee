"""Follows `GET /v1/racing/changes` by its cursor: no change is lost, and what the overlap of two answers repeats is left
out."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from ..generated.schemas import ChangedRace, RacingChanges


@dataclass(frozen=True)
class ChangesBatch:
    since: str
    """Everything before it was sent. To go on later, pass it as `since`: it is good for 30 minutes."""
    races: list[ChangedRace]
    """What changed: each race with its new rows only."""


def changes_since(first: str, get: Callable[[str], RacingChanges]) -> Callable[[], ChangesBatch | None]:
    """Requests one page after another; None: it has nothing new."""
    since = first
    # Of the last answer alone: what an answer repeats was in the one before it.
    seen: set[str] = set()

    def following() -> ChangesBatch | None:
        nonlocal since, seen
        page = get(since)
        races, seen = _new_in(page, seen)
        since = page["server_time"]
        return ChangesBatch(since, races) if races else None

    return following


def _new_in(page: RacingChanges, seen: set[str]) -> tuple[list[ChangedRace], set[str]]:
    everything: set[str] = set()

    def is_new(*what: object) -> bool:
        text = json.dumps(what)
        everything.add(text)
        return text not in seen

    races: list[ChangedRace] = []
    for race in page["races"]:
        is_new_race = is_new({name: value for name, value in race.items() if name != "changed_runners"})
        rows = [row for row in race["changed_runners"] if is_new(race["race_id"], row)]
        if is_new_race or rows:
            races.append({**race, "changed_runners": rows})
    return races, everything
