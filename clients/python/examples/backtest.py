"""Bets against the consensus a minute before each start of a day, and asks `clv` how the bets did."""

import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from statistics import median

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

from racing_odds_client import Board, OddsClient, schemas, to_frame

DAY, PICTURE = sys.argv[1:]
BEFORE = timedelta(seconds=60)
# A replay does not show that a book withdrew its prices, only that they no longer move.
MOVED_WITHIN = timedelta(minutes=20)
LEAST_EDGE = 0.02

client = OddsClient()


def time_of(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def decision_of(race: schemas.NextRace) -> datetime:
    return time_of(race["start_time"]) - BEFORE


def is_placeholder(price: float, others: list[float]) -> bool:
    return price >= 21 and len(others) >= 3 and price >= 4 * median(others)


def prices_of(race: schemas.NextRace) -> dict[int, dict[str, float]]:
    """By runner and book, without placeholders, and without books that moved no price of the race for long."""
    moved: dict[str, datetime] = {}
    for runner in race["runners"]:
        for quote in runner["bookmakers"]:
            at = time_of(quote["last_update"])
            moved[quote["key"]] = max(moved.get(quote["key"], at), at)
    quoted: dict[int, dict[str, float]] = {
        runner["number"]: {
            quote["key"]: quote["win_price"]
            for quote in runner["bookmakers"]
            if quote["win_price"] is not None and decision_of(race) - moved[quote["key"]] <= MOVED_WITHIN
        }
        for runner in race["runners"]
    }
    return {
        number: {
            book: price
            for book, price in prices.items()
            if not is_placeholder(price, [other for key, other in prices.items() if key != book])
        }
        for number, prices in quoted.items()
    }


def consensus_of(quoted: dict[int, dict[str, float]]) -> dict[int, float]:
    """The probability of each runner: the mean over the books that price all of them, without their margin."""
    first = next(iter(quoted.values()), {})
    whole = [book for book in first if all(book in prices for prices in quoted.values())]
    sums = {book: sum(1 / prices[book] for prices in quoted.values()) for book in whole}
    return {
        number: sum(1 / prices[book] / sums[book] for book in whole) / len(whole)
        for number, prices in (quoted.items() if whole else ())
    }


def bets_on(race: schemas.NextRace) -> Iterator[schemas.ClvBet]:
    quoted = prices_of(race)
    for number, chance in consensus_of(quoted).items():
        price, book = max((price, book) for book, price in quoted[number].items())
        if price * chance >= 1 + LEAST_EDGE:
            yield {
                "race_id": race["race_id"],
                "runner_number": number,
                "price": price,
                "bookmaker": book,
                "placed_at": decision_of(race).isoformat(),
            }


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
            if one["event"] == "recorded":
                print(f"races on {DAY}: {one['data']['race_count']}", flush=True)
            elif one["event"] == "changes":
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
if not bets:
    print(f"no price was {LEAST_EDGE:.0%} above the consensus")
    sys.exit()
scores = [
    score for i in range(0, len(bets), 200) for score in client.racing.clv(body={"bets": bets[i : i + 200]})["bets"]
]
frame = to_frame(scores, schemas.ClvScore).sort_values("start_time")
# Without a close the book was last seen more than five minutes before the jump: its price may have been gone.
measured = frame.dropna(subset=["clv_pct"])
print(
    f"bets: {len(frame)}, {len(measured)} of them with a close"
    + (f": {measured['clv_pct'].mean():+.1f} % against it, {measured['pnl'].sum():+.2f} units" if len(measured) else "")
)

figure, (above, below) = plt.subplots(2, 1, sharex=True, figsize=(9, 6), constrained_layout=True)
settled = measured.dropna(subset=["pnl"])
above.step(settled["start_time"], settled["pnl"].cumsum().astype(float), where="post")
above.set_ylabel("profit, units")
below.scatter(measured["start_time"], measured["clv_pct"].astype(float), s=12)
below.axhline(0, color="grey", linewidth=0.8)
below.set_ylabel("price against the close, %")
figure.suptitle(f"Best price at least {LEAST_EDGE:.0%} above the consensus, {DAY}")
figure.savefig(PICTURE)
