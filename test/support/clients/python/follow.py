"""A customer's program that keeps the market: the `server_time` of a response, a datetime, is the next `since`, written by its isoformat().

Arguments: address and key. For each line of input it polls once and writes its current prices."""

import json
import sys
from datetime import UTC, datetime, timedelta

from client import AuthenticatedClient
from client.api.racing import racing_changes
from client.models.racing_changes import RacingChanges

url, key = sys.argv[1:]
customer = AuthenticatedClient(base_url=url, token=key, prefix="", auth_header_name="X-API-Key")
since = datetime.now(UTC) - timedelta(minutes=25)
prices: dict[str, float | None] = {}

for _ in sys.stdin:
    polled = racing_changes.sync(client=customer, since=since)
    if not isinstance(polled, RacingChanges):
        raise SystemExit(f"since={since.isoformat()}: {polled}")
    for race in polled.races:
        for row in race.changed_runners:
            prices[f"{race.venue} {race.race_number}, {row.name}, {row.bookmaker_key}"] = row.win_price
    since = polled.server_time
    print(json.dumps(prices), flush=True)
