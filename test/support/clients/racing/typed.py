"""What mypy must accept and refuse: an unused `type: ignore` is an error of its own."""

from collections.abc import Iterator
from datetime import date

from racing_odds_client import OddsClient, StreamBatch, schemas

client = OddsClient()

races: list[schemas.NextRace] = client.racing.next_to_go(num_races=2, country="AU", date=date(2026, 11, 21))
country: str | None = races[0]["country"]
pages: Iterator[schemas.ClosingLines] = client.pages(client.racing_archive.closing_lines, limit=2)
polled: Iterator[list[schemas.NextRace]] = client.poll(client.racing.next_to_go, 5, num_races=2)
batches: Iterator[StreamBatch] = client.follow({"categories": ["horse"]})

client.racing.next_to_go(races=2)  # type: ignore[call-arg]
client.racing.next_to_go(categories=["horses"])  # type: ignore[list-item]
client.sports.get_sport_odds()  # type: ignore[call-arg]
client.pages(client.racing_archive.closing_lines, limits=2)  # type: ignore[call-arg]
client.follow({"categories": ["horses"]})  # type: ignore[arg-type]
races[0]["nothing"]  # type: ignore[typeddict-item]
races[0]["country"].lower()  # type: ignore[union-attr]
client.racing.clv(body={"bets": [{"stake": 1}]})  # type: ignore[typeddict-item]
