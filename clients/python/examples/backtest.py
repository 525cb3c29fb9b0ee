"""Bets against the consensus a minute before each start of a day, and asks `clv` how the bets did."""

import sys
from collections.abc import Iterator
from datetime import datetime, timedelta

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from racing_odds_client import Board, OddsClient, schemas, to_frame

DAY, PICTURE = sys.argv[1:]
BEFORE = timedelta(seconds=60)
LEAST_EDGE = 0.02

client = OddsClient()


def time_of(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def consensus_of(race: schemas.NextRace) -> dict[int, float]:
    """The probability of each runner: the mean over the books that price all of them, without their margin."""
    prices: dict[str, dict[int, float]] = {}
    for runner in race["runners"]:
        for quote in runner["bookmakers"]:
            if quote["win_price"] is not None:
                prices.setdefault(quote["key"], {})[runner["number"]] = quote["win_price"]
    whole = [book for book in prices.values() if len(book) == len(race["runners"])]
    sums = [sum(1 / price for price in book.values()) for book in whole]
    return {
        runner["number"]: sum(1 / book[runner["number"]] / total for book, total in zip(whole, sums, strict=True))
        / len(whole)
        for runner in (race["runners"] if whole else [])
    }


def bets_on(race: schemas.NextRace) -> Iterator[schemas.ClvBet]:
    consensus = consensus_of(race)
    for runner in race["runners"]:
        quotes = [(quote["win_price"] or 0, quote["key"]) for quote in runner["bookmakers"]]
        price, book = max(quotes, default=(0, ""))
        if price * consensus.get(runner["number"], 0) >= 1 + LEAST_EDGE:
            yield {
                "race_id": race["race_id"],
                "runner_number": runner["number"],
                "price": price,
                "bookmaker": book,
                "placed_at": (time_of(race["start_time"]) - BEFORE).isoformat(),
            }


def decision_of(race: schemas.NextRace) -> datetime:
    return time_of(race["start_time"]) - BEFORE


def sent_at(race: schemas.NextRace) -> datetime:
    """At the latest: ages are whole seconds, rounded down. Without a quote it is the start."""
    quotes = [quote for runner in race["runners"] for quote in runner["bookmakers"]]
    sent = (time_of(quote["last_update"]) + timedelta(seconds=quote["age_seconds"] + 1) for quote in quotes)
    return min(sent, default=time_of(race["start_time"]))


def all_bets() -> Iterator[schemas.ClvBet]:
    """Each race is looked at once, as it stood a minute before its start: before what happened later is applied."""
    board = Board()
    waiting: set[str] = set()
    for batch in client.replay({"date": DAY, "speed": "max"}):
        for one in batch.events:
            due: list[str] = []
            if one["event"] == "changes":
                now = time_of(one["data"]["server_time"])
                due = [id for id in waiting if now > decision_of(board.races[id])]
            elif one["event"] == "gone":
                due = [id for id in waiting if one["data"]["race_id"] == id]
            elif one["event"] == "race":
                # A race comes again without a runner that was scratched, maybe after the decision.
                known = board.races.get(one["data"]["race_id"])
                is_late = sent_at(one["data"]) > decision_of(known or one["data"])
                due = [id for id in waiting if is_late and known and known["race_id"] == id]
                if not known and not is_late:
                    waiting.add(one["data"]["race_id"])
            for id in due:
                waiting.remove(id)
                yield from bets_on(board.races[id])
        board.apply(batch)


bets = list(all_bets())
scores = [
    score for i in range(0, len(bets), 200) for score in client.racing.clv(body={"bets": bets[i : i + 200]})["bets"]
]
frame = to_frame(scores, schemas.ClvScore).sort_values("start_time")
print(
    f"{len(frame)} bets, {frame['clv_pct'].mean():+.1f} % against the close, "
    f"{frame['pnl'].sum():+.2f} units on {frame['pnl'].count()} settled bets"
)

figure, (above, below) = plt.subplots(2, 1, sharex=True, figsize=(9, 6), constrained_layout=True)
settled = frame.dropna(subset=["pnl"])
above.step(settled["start_time"], settled["pnl"].cumsum().astype(float), where="post")
above.set_ylabel("profit, units")
measured = frame.dropna(subset=["clv_pct"])
below.scatter(measured["start_time"], measured["clv_pct"].astype(float), s=12)
below.axhline(0, color="grey", linewidth=0.8)
below.set_ylabel("price against the close, %")
figure.suptitle(f"Best price at least {LEAST_EDGE:.0%} above the consensus, {DAY}")
figure.savefig(PICTURE)
