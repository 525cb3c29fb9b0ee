"""The types of requests, answers and events. An answer may have members and values that come later.

Made by `npm run clients` from the OpenAPI document. Do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date as _date
from datetime import datetime as _datetime
from typing import Annotated, Any, Literal, TypedDict, Union

from typing_extensions import NotRequired

Instant = Annotated[str, "instant"]
"""RFC 3339, such as `2026-11-21T03:00:00.000Z`."""
Day = Annotated[str, "day"]
"""`2026-11-21`."""


Category = Literal["horse", "harness", "greyhound"]
"""Thoroughbred (`horse`), `harness` or `greyhound`."""


RaceStatus = Literal["open"]
"""Set when the race is created and never revised: not a signal of the race’s state. See `market_status` and, in
`results`, `status`.
"""


class Scratching(TypedDict):
    """A scratched runner, merged over every reporting book."""

    name: str
    number: int
    """Saddlecloth or box number. Use it to count boxes, not the length of the list."""
    barrier: int | None
    scratched_at: Instant | None
    """When the runner was scratched (UTC): the reporting book’s timestamp, otherwise the official scratching
    sheet’s.
    """
    late: bool | None
    """Whether it was a late scratching; null if unknown."""
    emergency: bool | None
    """Whether the runner was an emergency; null if unknown."""


MarketStatus = Literal["OPEN", "SUSPENDED", "CLOSED"]
"""Last state reported by the book in `market_state_source`."""


class RaceEvent(TypedDict):
    race_id: str
    """Stable id of the race, the same on every racing endpoint."""
    venue: str
    """Venue name as the feeds spell it."""
    venue_id: str
    """Canonical slug of the venue."""
    venue_canonical: str
    """Canonical display name of the venue."""
    venue_site: str
    """Slug shared by the tracks of one complex."""
    race_number: int
    """Number of the race in its meeting."""
    category: Category
    country: str | None
    """ISO 3166 country code; null while the meeting’s country is not confirmed."""
    start_time: Instant
    """Advertised start (UTC); it can move."""
    race_name: str | None
    distance_m: int | None
    """Distance in metres."""
    track_condition: str | None
    """Track condition as published, e.g. `Good (4)`."""
    weather: str | None
    race_class: str | None
    conditions: str | None
    prize_total: int | None
    """Total prize money in whole Australian dollars."""
    rail: str | None
    track_name: str | None
    """Name of the course at the registry."""
    apprentices_can_claim: NotRequired[bool | None]
    """Whether apprentices may claim a weight allowance; null if the registry does not state it."""
    track_condition_changed_at: Instant | None
    """Latest logged change of the meeting’s track condition (UTC); null if there is none."""
    status: RaceStatus
    scratchings: list[Scratching]
    """Scratched runners; they are never priced."""
    market_status: MarketStatus | None
    """Last state reported by the book in `market_state_source`."""
    inplay: bool | None
    """Whether the race is in play. Only an exchange reports it."""
    market_closed_at: Instant | None
    """First poll at which the market was seen closed (UTC). Set once. Null never means open."""
    inplay_at: Instant | None
    """First poll at which the race was seen in play (UTC). Only an exchange reports it."""
    market_state_source: str | None
    """Book that reports the market state; null if it is withheld."""


ProblemCode = Literal["bad_request", "undeliverable_address", "disposable_address", "unauthorized", "payment_required", "plan_required", "horizon_exceeded", "archive_window", "ip_not_allowed", "scope_required", "origin_not_allowed", "not_found", "race_not_on_board", "match_not_open", "method_not_allowed", "not_acceptable", "request_timeout", "conflict", "race_ambiguous", "gone", "payload_too_large", "unsupported_media_type", "range_not_satisfiable", "validation", "rate_limit", "internal", "upstream_failure", "unavailable", "store_filling"]
"""The problem type as a short code."""


class InputProblem(TypedDict):
    """One problem with a request, at a `parameter` or at a `pointer` into the body."""

    parameter: NotRequired[str]
    """Query or path parameter."""
    pointer: NotRequired[str]
    """JSON pointer into the body."""
    detail: str
    """What is wrong, and what is valid."""
    valid_values: NotRequired[list[str]]
    """Values that are accepted."""


class RaceCandidate(TypedDict):
    """One of the races that match the request."""

    race_id: str
    """Repeat the request with this id."""
    venue: str
    race_number: int
    category: Category
    country: str | None
    start_time: Instant


class Unavailable(TypedDict):
    name: str
    """Part or fact that cannot be measured now."""
    reason: str
    """Why, as a sentence."""


class Problem(TypedDict):
    """Body of every error response (RFC 9457). Branch on `code`; `detail` is for people."""

    type: str
    """Address of a page about the problem, constant per `code`."""
    title: str
    """Title of the problem type, constant per `code`."""
    status: int
    """HTTP status of the response."""
    detail: str
    """What is wrong with this request, as a sentence."""
    code: ProblemCode
    request_id: str
    """The `X-Request-Id` of this response. Quote it when you contact support."""
    errors: NotRequired[list[InputProblem]]
    """The problems with the input: the first 30, then how many more there are."""
    required_plan: NotRequired[str]
    """Id of the cheapest plan that allows the request."""
    upgrade_url: NotRequired[str]
    """Where to upgrade to it."""
    required_scope: NotRequired[str]
    """For `scope_required`: the scope that the key lacks."""
    sample: NotRequired[list[Any]]
    """Sample rows of the data that the plan does not include."""
    candidates: NotRequired[list[RaceCandidate]]
    """For `race_ambiguous`: the races that matched."""
    retry_after_seconds: NotRequired[int]
    """Seconds to wait, as in `Retry-After`."""
    suggestion: NotRequired[str]
    """For `undeliverable_address`: the address that was probably meant."""
    reason: NotRequired[Literal["replaced"]]
    """For the end of a stream. `replaced`: another connection took the place of this one, with its `Last-Event-ID`."""
    unavailable: NotRequired[list[Unavailable]]
    """For `unavailable`: what a report cannot measure now."""


Bookmaker = Literal["sportsbet", "tab", "tabtouch", "ladbrokes_au", "neds", "pointsbetau", "betr_au", "betright", "unibet", "playup", "palmerbet", "betdeluxe", "betgold", "boostbet", "dabble_au", "ladbrokes_uk", "williamhill", "betway_uk", "realbookie", "winnersbet", "dafabet", "premiumbet", "ponybet", "stablebet"]
"""Key of a bookmaker. Responses may contain keys that are added later."""


RefreshTier = Literal["live", "card"]
"""`live` within three hours of the jump, `card` before that; some books have their own limit."""


AgeBasis = Literal["poll", "push"]
"""What the age counts from. `poll`: the service’s poll of the book. `push`: the time that a push-fed book gives for
its prices.
"""


class BookQuotes(TypedDict):
    """What one book quotes on one runner. A price that the book does not quote is absent, never 0."""

    key: str
    """Bookmaker key."""
    win_price: float | None
    """Fixed win price in decimal odds; null if the book quotes only other markets."""
    place_price: NotRequired[float]
    """Fixed place price in decimal odds; absent if not quoted."""
    top2_price: NotRequired[float]
    """Decimal odds; absent if not quoted."""
    top3_price: NotRequired[float]
    """Decimal odds; absent if not quoted."""
    top4_price: NotRequired[float]
    """Decimal odds; absent if not quoted."""
    tote_win: NotRequired[dict[str, float]]
    """Pre-race tote estimates by product code; absent if the book has none."""
    source_url: NotRequired[str]
    """The book’s page for this race; absent if it has no known address."""
    betslip_win_url: NotRequired[str | None]
    """Link that puts the runner on the book’s betslip, on Plus and above. Null if the book has no such link or its
    daily check fails; treat absent and null alike. Bookmakers do not support these links, and they may change
    without notice.
    """
    betslip_place_url: NotRequired[str | None]
    """Link that puts the runner on the book’s betslip, on Plus and above. Null if the book has no such link or its
    daily check fails; treat absent and null alike. Bookmakers do not support these links, and they may change
    without notice.
    """
    betslip_app_only: NotRequired[bool | None]
    """Whether the link opens only in the book’s app, on Plus and above; null without a link."""
    last_update: Instant
    """When the book last responded to a poll of this race (UTC); for a push-fed book, the time that it gives for its
    prices.
    """
    age_seconds: int
    """Seconds since `last_update`."""
    stale: bool
    """Whether the quote is older than the threshold of its tier: 120 s live, 1800 s card."""
    refresh_tier: RefreshTier
    age_basis: AgeBasis


class PricedRunner(TypedDict):
    number: int
    """Saddlecloth or box number."""
    name: str
    barrier: int | None
    jockey: str | None
    trainer: str | None
    weight: float | None
    """Weight in kilograms."""
    form: str | None
    runner_ref: str | None
    """Registry id of the entry: `ra:…`, `grv:…` or `grsa:…`."""
    horse_ref: str | None
    """Persistent identity of a thoroughbred: `pe:` followed by its folded name. Null for other codes."""
    bookmakers: list[BookQuotes]
    """Ordered by bookmaker key."""


class NextRace(TypedDict):
    race_id: str
    """Stable id of the race, the same on every racing endpoint."""
    venue: str
    """Venue name as the feeds spell it."""
    venue_id: str
    """Canonical slug of the venue."""
    venue_canonical: str
    """Canonical display name of the venue."""
    venue_site: str
    """Slug shared by the tracks of one complex."""
    race_number: int
    """Number of the race in its meeting."""
    category: Category
    country: str | None
    """ISO 3166 country code; null while the meeting’s country is not confirmed."""
    start_time: Instant
    """Advertised start (UTC); it can move."""
    source_id: str | None
    """Opaque id of the race at its source; null if unknown."""
    race_name: str | None
    distance_m: int | None
    """Distance in metres."""
    track_condition: str | None
    """Track condition as published, e.g. `Good (4)`."""
    weather: str | None
    race_class: str | None
    conditions: str | None
    prize_total: int | None
    """Total prize money in whole Australian dollars."""
    rail: str | None
    track_name: str | None
    """Name of the course at the registry."""
    apprentices_can_claim: NotRequired[bool | None]
    """Whether apprentices may claim a weight allowance; null if the registry does not state it."""
    track_condition_changed_at: Instant | None
    """Latest logged change of the meeting’s track condition (UTC); null if there is none."""
    places_paid: int | None
    """Number of places that a place bet pays; null if unknown."""
    market_closed_at: Instant | None
    """First poll at which the market was seen closed (UTC). Set once. Null never means open."""
    inplay_at: Instant | None
    """First poll at which the race was seen in play (UTC). Only an exchange reports it."""
    market_state_source: str | None
    """Book that reports the market state; null if it is withheld."""
    scratchings: list[Scratching]
    """Scratched runners; they are never priced."""
    runners: list[PricedRunner]
    """Ordered by number. Scratched runners are listed only in `scratchings`."""
    data_age_seconds: int | None
    """Age of the oldest quote, in seconds; null without a quote."""
    freshest_age_seconds: int | None
    """Age of the newest quote, in seconds; null without a quote."""
    refresh_tier: RefreshTier
    stale: bool
    """Whether the oldest of these quotes is past the threshold of its tier."""
    stale_bookmakers: list[str]
    """Books past the threshold of their refresh tier."""
    cached: bool
    """Whether the data was read for an earlier request."""
    cache_age_seconds: int
    """Seconds since the data was read; 0 if it was read for this request."""


class BestQuote(TypedDict):
    price: float
    """Decimal odds."""
    bookmaker: str
    """Bookmaker key."""
    last_update: Instant
    """When the book last responded to a poll of this race (UTC); for a push-fed book, the time that it gives for its
    prices.
    """
    age_seconds: int
    """Seconds since `last_update`."""
    stale: bool
    """Whether the quote is older than the threshold of its tier: 120 s live, 1800 s card."""
    refresh_tier: RefreshTier
    age_basis: AgeBasis
    source_url: str | None
    """The book’s page for this race; null if it has no known address."""
    betslip_url: NotRequired[str | None]
    """Link to the book’s betslip, on Plus and above. Null if the book has no such link; treat absent and null alike."""


class BestTote(TypedDict):
    """Highest pre-race tote estimate. Not comparable with `best_win`: settle only on a final dividend."""

    price: float
    """Estimated dividend for a $1 bet."""
    bookmaker: str
    """Bookmaker key."""
    last_update: Instant
    """When the book last responded to a poll of this race (UTC); for a push-fed book, the time that it gives for its
    prices.
    """
    age_seconds: int
    """Seconds since `last_update`."""
    stale: bool
    """Whether the quote is older than the threshold of its tier: 120 s live, 1800 s card."""
    refresh_tier: RefreshTier
    age_basis: AgeBasis
    product: str
    """Tote product: `PROV`, `SP`, `MIDDIV`, `RD+` or `BT+SP`."""


class BestLeg(TypedDict):
    price: float
    """Decimal odds."""
    bookmaker: str
    """Bookmaker key."""
    last_update: Instant
    """When the book last responded to a poll of this race (UTC); for a push-fed book, the time that it gives for its
    prices.
    """
    age_seconds: int
    """Seconds since `last_update`."""
    stale: bool
    """Whether the quote is older than the threshold of its tier: 120 s live, 1800 s card."""
    refresh_tier: RefreshTier
    age_basis: AgeBasis
    source_url: str | None
    """The book’s page for this race; null if it has no known address."""
    betslip_url: NotRequired[str | None]
    """Link to the book’s betslip, on Plus and above. Null if the book has no such link; treat absent and null alike."""
    books_quoting: int
    """Distinct books that quote this market on the runner."""


class SuspectQuote(TypedDict):
    """An excluded placeholder quote: 21 or more, and at least 4 times the median of three or more other books."""

    bookmaker: str
    """Bookmaker key."""
    price: float
    """Decimal odds."""
    consensus: float
    """Median price of the other books."""


class BestOddsRunner(TypedDict):
    number: int
    """Saddlecloth or box number."""
    name: str
    barrier: int | None
    jockey: str | None
    trainer: str | None
    weight: float | None
    """Weight in kilograms."""
    form: str | None
    runner_ref: str | None
    """Registry id of the entry: `ra:…`, `grv:…` or `grsa:…`."""
    horse_ref: str | None
    """Persistent identity of a thoroughbred: `pe:` followed by its folded name. Null for other codes."""
    best_win: BestQuote | None
    best_place: BestQuote | None
    best_tote: BestTote | None
    """Highest pre-race tote estimate. Not comparable with `best_win`: settle only on a final dividend."""
    best_top2: NotRequired[BestLeg]
    best_top3: NotRequired[BestLeg]
    best_top4: NotRequired[BestLeg]
    books_quoting: int
    """Same as `books_quoting_win`."""
    books_quoting_win: int
    """Distinct books that quote a win price on the runner."""
    books_quoting_place: int
    """Distinct books that quote a place price on the runner."""
    price_spread_pct: float | None
    """How much higher the best win price is than the worst, in percent of the worst; 0 with one book, null without a
    price.
    """
    suspect_win: SuspectQuote | None
    """An excluded placeholder quote: 21 or more, and at least 4 times the median of three or more other books."""
    suspect_place: SuspectQuote | None
    """An excluded placeholder quote: 21 or more, and at least 4 times the median of three or more other books."""
    betslip_win_url: NotRequired[str | None]
    """Link that puts the runner on the book’s betslip, on Plus and above. Null if the book has no such link or its
    daily check fails; treat absent and null alike. Bookmakers do not support these links, and they may change
    without notice.
    """
    betslip_place_url: NotRequired[str | None]
    """Link that puts the runner on the book’s betslip, on Plus and above. Null if the book has no such link or its
    daily check fails; treat absent and null alike. Bookmakers do not support these links, and they may change
    without notice.
    """
    betslip_app_only: NotRequired[bool | None]
    """Whether the link opens only in the book’s app, on Plus and above; null without a link."""


class BestOddsRace(TypedDict):
    race_id: str
    """Stable id of the race, the same on every racing endpoint."""
    venue: str
    """Venue name as the feeds spell it."""
    race_number: int
    """Number of the race in its meeting."""
    category: Category
    country: str | None
    """ISO 3166 country code; null while the meeting’s country is not confirmed."""
    start_time: Instant
    """Advertised start (UTC); it can move."""
    race_name: str | None
    track_condition: str | None
    market_percentage: float | None
    """Sum of the implied probabilities at the best win prices, in percent. Below 100, the best prices together carry
    no margin. Null if a runner that is not an emergency has no win price at any book compared.
    """
    books_compared: int
    """Number of distinct books that contribute a win price."""
    scratchings: list[Scratching]
    """Scratched runners; they are never priced."""
    runners: list[BestOddsRunner]
    """Ordered by number, without those that no book compared quotes. Scratched runners are listed only in
    `scratchings`.
    """
    data_age_seconds: int | None
    """Seconds since the oldest `last_update` among the books with a best win or place price; null without such a
    price.
    """
    freshest_age_seconds: int | None
    """Seconds since the newest `last_update` among the books with a best win or place price; null without such a
    price.
    """
    refresh_tier: RefreshTier
    stale: bool
    """Whether the oldest of these quotes is past the threshold of its tier."""
    stale_bookmakers: list[str]
    """Books past the threshold of their refresh tier."""
    cached: bool
    """Whether the data was read for an earlier request."""
    cache_age_seconds: int
    """Seconds since the data was read; 0 if it was read for this request."""


Normalisation = Literal["power", "multiplicative"]
"""How each book’s margin is removed: `power` raises its implied probabilities to the exponent that makes them sum to
1, `multiplicative` divides them by their sum.
"""


class ConsensusRace(TypedDict):
    race_id: str
    """Stable id of the race, the same on every racing endpoint."""
    venue: str
    """Venue name as the feeds spell it."""
    race_number: int
    """Number of the race in its meeting."""
    category: Category
    country: str | None
    """ISO 3166 country code; null while the meeting’s country is not confirmed."""
    start_time: Instant
    """Advertised start (UTC); it can move."""
    secs_to_jump: int
    """Seconds to the advertised start, rounded down; negative after it."""
    refresh_tier: RefreshTier
    status: Literal["upcoming", "jumped"]
    """`jumped` once the market is seen closed; if no book reports that, from the advertised start."""
    as_of: Instant
    """Time of this response (UTC); ages count to it."""


class ConsensusMethod(TypedDict):
    """How the figures are computed."""

    normalisation: Normalisation
    aggregation: Literal["median_probability"]
    """A runner’s consensus is the median over the included books."""
    renormalised: bool
    """Whether the medians are scaled once so that the field sums to 1."""
    stale_rule: str
    """When a book counts as stale, as a sentence."""
    field_rule: str
    """Which runners make up the complete field, as a sentence."""
    min_books: int
    """Minimum number of included books for a runner to have a consensus."""
    include_stale: bool
    """Whether stale books are included."""


ExclusionReason = Literal["stale", "partial_field", "unsolvable"]
"""`stale`: the book is past the threshold of its refresh tier. `partial_field`: it prices fewer runners than the
complete field; a dropped placeholder does not count as a price. `unsolvable`: its prices cannot be converted to
probabilities.
"""


class ExcludedBook(TypedDict):
    bookmaker: str
    """Bookmaker key."""
    reason: ExclusionReason


class ConsensusBook(TypedDict):
    bookmaker: str
    """Bookmaker key."""
    runners_priced: int
    """Runners of the field that the book prices, dropped placeholders not counted."""
    overround_pct: float | None
    """The book’s margin in percent: the sum of its implied probabilities above 100. Null unless it prices the
    complete field.
    """
    age_seconds: int
    """Seconds since `last_update`."""
    last_update: Instant
    """When the book last responded to a poll of this race (UTC); for a push-fed book, the time that it gives for its
    prices.
    """
    refresh_tier: RefreshTier
    stale: bool
    """Whether the book is older than the threshold of its tier: 120 s live, 1800 s card."""
    included: bool
    """Whether the book is in the consensus. Every included book counts once."""
    reason: ExclusionReason | None
    """`stale`: the book is past the threshold of its refresh tier. `partial_field`: it prices fewer runners than the
    complete field; a dropped placeholder does not count as a price. `unsolvable`: its prices cannot be converted
    to probabilities.
    """


class ConsensusMarket(TypedDict):
    """The market as a whole."""

    median_overround_pct: float | None
    """Median of the included books’ `overround_pct`."""
    best_price_market_pct: float | None
    """Sum of the implied probabilities of the field at the best prices, in percent; runners without a price are left
    out. Below 100, the best prices together carry no margin.
    """
    median_runner_spread_pct: float | None
    """Median of the field’s `price_spread_pct`, in percent."""
    consensus_sum_before_normalisation: float | None
    """Sum of the medians before they are scaled to 1; null without a consensus."""
    field_size: int
    """Number of runners in the complete field: see `method.field_rule`."""


class ConsensusQuote(TypedDict):
    bookmaker: str
    """Bookmaker key."""
    price: float
    """Decimal odds."""
    no_vig_prob: float | None
    """The book’s probability for the runner, without its margin. Null if the book is not in the consensus or the
    runner is not in the field.
    """
    age_seconds: int
    """Seconds since the book’s `last_update`."""


class ConsensusRunner(TypedDict):
    number: int
    """Saddlecloth or box number."""
    name: str
    runner_ref: str | None
    """Registry id of the entry: `ra:…`, `grv:…` or `grsa:…`."""
    horse_ref: str | None
    """Persistent identity of a thoroughbred: `pe:` followed by its folded name. Null for other codes."""
    scratched: bool
    """Always false: scratched runners are listed only in `scratchings`."""
    books: int
    """Number of included books that price the runner; 0 for a runner outside the field."""
    consensus_prob: float | None
    """Probability of winning, 0 to 1; the field sums to 1. Null if fewer than `method.min_books` included books
    price the runner.
    """
    consensus_price: float | None
    """1 / `consensus_prob`: the fair price, without margin."""
    median_price: float | None
    """Median of `quotes`."""
    mean_price: float | None
    """Mean of `quotes`."""
    best_price: float | None
    """Highest of `quotes`."""
    best_bookmaker: str | None
    """Bookmaker key."""
    worst_price: float | None
    """Lowest of `quotes`."""
    price_spread_pct: float | None
    """How much higher the best price is than the worst, in percent of the worst; 0 with one book."""
    best_vs_consensus_pct: float | None
    """`best_price` / `consensus_price` - 1, in percent. Usually negative; above 0, the best price beats the
    consensus.
    """
    freshest_age_seconds: int | None
    """Age of the newest of `quotes`, in seconds."""
    oldest_age_seconds: int | None
    """Age of the oldest of `quotes`, in seconds."""
    quotes: list[ConsensusQuote]
    """The quotes behind every price figure of the runner, ordered by bookmaker key: those of books that are fresh,
    or stale and included, whether or not the book is in the consensus. Placeholders are left out.
    """


class ExcludedQuote(TypedDict):
    bookmaker: str
    """Bookmaker key."""
    number: int
    """Saddlecloth or box number of the runner."""
    name: str
    """Name of the runner."""
    price: float
    """Decimal odds."""
    consensus: float
    """Median of the other books’ prices."""


class Consensus(TypedDict):
    race: ConsensusRace
    method: ConsensusMethod
    books_quoting: int
    """Number of books that quote a win price on a runner that is not scratched; `bookmakers` lists them."""
    books_in_consensus: int
    """Number of included books; the others are in `books_excluded`."""
    books_excluded: list[ExcludedBook]
    """Books that quote but are not in the consensus, with the reason."""
    bookmakers: list[ConsensusBook]
    """Every book that quotes, ordered by key."""
    market: ConsensusMarket
    runners: list[ConsensusRunner]
    """Ordered by number. Scratched runners are listed only in `scratchings`."""
    excluded_quotes: list[ExcludedQuote]
    """Dropped placeholder quotes: 21 or more, and at least 4 times the median of three or more other books."""
    scratchings: list[Scratching]
    """Scratched runners; they are never priced."""
    note: str | None
    """How to read the figures of a race that has jumped; null before the jump."""


MarkName = Literal["t60", "t30", "t15", "t10", "t5", "t2"]
"""Minutes before the advertised start: `t60` is 60 minutes before it."""


class CaptureWindow(TypedDict):
    """The prices captured since 60 minutes before the advertised start."""

    open: bool
    """Whether the capture window is open. False if the race is more than 60 minutes from its advertised start: then
    only the current consensus is available.
    """
    first_tick_at: Instant | None
    """When the first price of the field was captured (UTC); null if there is none yet."""
    ticks_total: int
    """Number of prices captured of the field. Only changes are captured, so a steady price counts once."""
    books_in_ticks: int
    """Number of books with captured prices."""
    marks_available: list[MarkName]
    """Marks at which there is a consensus, in order of time."""


class IntelligenceMethod(TypedDict):
    """How the figures are computed."""

    consensus: str
    """How the consensus is computed, in words."""
    min_books: int
    """Minimum number of books in the consensus for a runner to have one."""
    signal_rule: str
    """How `signal` is derived from the figures, in words."""
    attribution_floor_seconds: int
    """Leads shorter than this are not attributed, because books are polled every 8 to 20 seconds."""
    attribution_excluded_books: list[str]
    """Books on this race whose timestamps cannot order a move now: push-fed books, and books polled less often than
    the floor.
    """


class MarketPct(TypedDict):
    """Sum of the implied probabilities of the field at its best prices, in percent."""

    now: float | None
    """Now."""
    t15: float | None
    """At T-15."""
    t60: float | None
    """At T-60."""


class Favourite(TypedDict):
    """The runner that the market considers most likely to win."""

    now: str | None
    """`runner_key` of the runner with the shortest consensus price."""
    at_t10: str | None
    """The same at T-10; null before T-10."""
    changed_last_10m: bool | None
    """Whether the two differ; null if either is unknown."""


class IntelligenceMarket(TypedDict):
    """The market as a whole."""

    market_pct: MarketPct
    favourite: Favourite
    books_in_consensus_now: int
    """Number of books in the consensus now, as in `GET /v1/racing/consensus`."""
    books_at_t60: int | None
    """Number of books in the consensus at T-60; null if capture had not begun by then."""


class BooksAt(TypedDict):
    """How many books the consensus is based on."""

    now: int
    """Number of books in the consensus now; 0 for a runner outside the field."""
    t60: int | None
    """The same 60 minutes before the advertised start; null if capture had not begun by then."""
    t15: int | None
    """The same 15 minutes before the advertised start; null if capture had not begun by then."""


class ConsensusExtreme(TypedDict):
    price: float
    """Consensus price."""
    at: Instant
    """When the consensus first reached this price inside the capture window (UTC)."""


class RunnerConsensus(TypedDict):
    """Fair prices, without margin: 1 / probability. Null if fewer than `min_books` books are in the consensus."""

    now: float | None
    """Consensus price now, computed as in `GET /v1/racing/consensus` with method `power` and without stale books."""
    t60: float | None
    """Consensus price 60 minutes before the advertised start. Null before that time, or if capture had not begun by
    then.
    """
    t30: float | None
    """Consensus price 30 minutes before the advertised start. Null before that time, or if capture had not begun by
    then.
    """
    t15: float | None
    """Consensus price 15 minutes before the advertised start. Null before that time, or if capture had not begun by
    then.
    """
    t10: float | None
    """Consensus price 10 minutes before the advertised start. Null before that time, or if capture had not begun by
    then.
    """
    t5: float | None
    """Consensus price 5 minutes before the advertised start. Null before that time, or if capture had not begun by
    then.
    """
    t2: float | None
    """Consensus price 2 minutes before the advertised start. Null before that time, or if capture had not begun by
    then.
    """
    high: ConsensusExtreme | None
    low: ConsensusExtreme | None


class BestAgainstConsensus(TypedDict):
    price: float
    """Best price of the fresh books, without placeholders."""
    bookmaker: str
    """Bookmaker key."""
    vs_consensus_pct: float | None
    """Best price / consensus price - 1, in percent; usually negative."""


class Breadth(TypedDict):
    """How many books moved."""

    quoting: int
    """Number of fresh books that quote the runner now."""
    with_history: int
    """Number of these books with two or more captured prices on the runner; `firming`, `drifting` and `unchanged`
    add up to it.
    """
    firming: int
    """Books with a shorter price now than at T-60, or than their first captured price if they joined later."""
    drifting: int
    """Books with a longer price now than then."""
    unchanged: int
    """Books with the same price now as then."""


class FirstMover(TypedDict):
    """The first attributable book whose price moved at least 5 percent in the direction of `move_from_t60_pct`, from
    its T-60 price, or from its first captured price if it joined later.
    """

    status: Literal["attributed", "undetermined"]
    """Whether one book is shown to have moved first."""
    bookmaker: str | None
    """The book that moved first; null when undetermined."""
    at: Instant | None
    """When its price had first moved 5 percent from its opening price (UTC)."""
    lead_seconds: float | None
    """Lead over the second book, in seconds; at least `method.attribution_floor_seconds`."""
    median_follower_lag_seconds: float | None
    """Median lag of the followers, in seconds."""
    followers: list[str]
    """The other attributable books that moved in the same way, in order."""
    reason: Literal["no_move", "too_few_books", "inside_floor"] | None
    """Why no book is attributed; null if one is. `no_move`: there is no consensus at T-60 or now, or the two are
    equal. `too_few_books`: fewer than two attributable books moved at least 5 percent in that direction.
    `inside_floor`: the lead is shorter than the floor.
    """


Signal = Literal["strong_firm", "firm", "steady", "drift", "strong_drift", "insufficient"]
"""What the market did, by `move_from_t60_pct` and the books behind the move (see `method.signal_rule`). A
description, not a prediction.
"""


class IntelligenceRunner(TypedDict):
    runner_key: str
    """Folded name: lowercase letters and digits."""
    number: int
    """Saddlecloth or box number."""
    name: str
    runner_ref: str | None
    """Registry id of the entry: `ra:…`, `grv:…` or `grsa:…`."""
    horse_ref: str | None
    """Persistent identity of a thoroughbred: `pe:` followed by its folded name. Null for other codes."""
    books_at: BooksAt
    consensus: RunnerConsensus
    move_from_t60_pct: float | None
    """Change of the consensus price from T-60 to now, in percent. Negative: the runner shortened. Null without both
    prices.
    """
    move_from_t15_pct: float | None
    """Change of the consensus price from T-15 to now, in percent. Negative: the runner shortened. Null without both
    prices.
    """
    move_last_5m_pct: float | None
    """Change of the consensus price from five minutes ago to now, in percent. Negative: the runner shortened. Null
    without both prices.
    """
    move_last_2m_pct: float | None
    """Change of the consensus price from two minutes ago to now, in percent. Negative: the runner shortened. Null
    without both prices.
    """
    ticks_last_5m: int
    """Number of prices captured on the runner in the last five minutes, over all books."""
    best: BestAgainstConsensus | None
    breadth: Breadth
    first_mover: FirstMover
    signal: Signal


class Intelligence(TypedDict):
    race: ConsensusRace
    window: CaptureWindow
    method: IntelligenceMethod
    market: IntelligenceMarket
    runners: list[IntelligenceRunner]
    """Every runner that is not scratched, ordered by number."""
    scratchings: list[Scratching]
    """Scratched runners; they are never priced."""
    note: str | None
    """How to read the figures of a race that has jumped; null before the jump."""


ScanWindow = Literal["60m", "15m", "5m"]
"""`60m` is `move_from_t60_pct`, `15m` is `move_from_t15_pct`, `5m` is `move_last_5m_pct`."""


Direction = Literal["firming", "drifting"]
"""`firming`: the price shortened; `drifting`: it lengthened."""


class ScanFilters(TypedDict):
    """The filters applied, defaults included; null for a filter that was not set."""

    window: ScanWindow
    min_move_pct: float
    min_books: int
    direction: Direction | None
    """`firming`: the price shortened; `drifting`: it lengthened."""
    signal: list[Signal] | None
    country: list[str] | None
    categories: list[Category] | None
    limit: int


class ScanMethod(TypedDict):
    """How the figures are computed."""

    consensus: str
    """How the consensus is computed, in words."""
    signal_rule: str
    """How `signal` is derived from the figures, in words."""
    attribution_floor_seconds: int
    """Leads shorter than this are not attributed, because books are polled every 8 to 20 seconds."""


class ScanRace(TypedDict):
    race_id: str
    """Stable id of the race, the same on every racing endpoint."""
    venue: str
    """Venue name as the feeds spell it."""
    race_number: int
    """Number of the race in its meeting."""
    category: Category
    country: str | None
    """ISO 3166 country code; null while the meeting’s country is not confirmed."""
    start_time: Instant
    """Advertised start (UTC); it can move."""
    secs_to_jump: int
    """Seconds to the advertised start, rounded down; negative after it."""


class ScanResult(TypedDict):
    race: ScanRace
    move_pct: float
    """The move that `window` selects, in percent. Negative: the runner shortened."""
    runner_key: str
    """Folded name: lowercase letters and digits."""
    number: int
    """Saddlecloth or box number."""
    name: str
    runner_ref: str | None
    """Registry id of the entry: `ra:…`, `grv:…` or `grsa:…`."""
    horse_ref: str | None
    """Persistent identity of a thoroughbred: `pe:` followed by its folded name. Null for other codes."""
    books_at: BooksAt
    consensus: RunnerConsensus
    move_from_t60_pct: float | None
    """Change of the consensus price from T-60 to now, in percent. Negative: the runner shortened. Null without both
    prices.
    """
    move_from_t15_pct: float | None
    """Change of the consensus price from T-15 to now, in percent. Negative: the runner shortened. Null without both
    prices.
    """
    move_last_5m_pct: float | None
    """Change of the consensus price from five minutes ago to now, in percent. Negative: the runner shortened. Null
    without both prices.
    """
    move_last_2m_pct: float | None
    """Change of the consensus price from two minutes ago to now, in percent. Negative: the runner shortened. Null
    without both prices.
    """
    ticks_last_5m: int
    """Number of prices captured on the runner in the last five minutes, over all books."""
    best: BestAgainstConsensus | None
    breadth: Breadth
    first_mover: FirstMover
    signal: Signal


class IntelligenceScan(TypedDict):
    as_of: Instant
    """Time of the analysis (UTC); all figures refer to it."""
    window_minutes: int
    """Length of the capture window in minutes before the advertised start; races inside it are scanned."""
    races_scanned: int
    """Number of races in the window that have not jumped and match `country` and `categories`."""
    filters: ScanFilters
    method: ScanMethod
    results: list[ScanResult]
    """Largest move first; equal moves by start, `race_id` and number."""
    cached: bool
    """Whether this response was computed for an earlier request: requests with the same filters share it for 15
    seconds.
    """


class BookMove(TypedDict):
    key: str
    """Bookmaker key."""
    open_price: float
    """First price captured in the hour before the jump; not a true market open. If a start was put back, the price
    that stood when that hour began.
    """
    current_price: float
    """Price that the book quotes now."""
    move_pct: float
    """Move from `open_price` to `current_price`, in percent. Negative: the price shortened."""
    open_secs_to_jump: int
    """Seconds from `open_price` to the advertised start, 3600 at most; the nearer to 3600, the nearer to a 60-minute
    open.
    """
    points: int
    """Number of captured prices: `open_price`, and each change since."""
    counted_in_consensus: bool
    """Whether the book counts towards the average: it has two or more captured prices, and neither the first nor the
    last is a placeholder.
    """


class Mover(TypedDict):
    venue: str
    """Venue name as the feeds spell it."""
    race_number: int
    """Number of the race in its meeting."""
    category: Category
    country: str | None
    """ISO 3166 country code; null while the meeting’s country is not confirmed."""
    start_time: Instant
    """Advertised start (UTC); it can move."""
    mins_to_jump: int
    """Whole minutes to the advertised start, rounded down; negative after it."""
    number: int
    """Saddlecloth or box number."""
    runner: str
    """Name of the runner."""
    open_price: float
    """Mean of the counted books’ `open_price`."""
    current_price: float
    """Mean of the counted books’ current prices."""
    move_pct: float
    """Move from `open_price` to `current_price`, in percent. Negative: firming."""
    direction: Direction
    books_quoting: int
    """Number of books that quote the runner now and have at least one captured price on it."""
    books_with_history: int
    """Number of books counted towards the average."""
    books_firming: int
    """Number of counted books whose price shortened."""
    books_drifting: int
    """Number of counted books whose price lengthened."""
    books_unchanged: int
    """Number of all other books: firming, drifting and unchanged add up to `books_quoting`."""
    bookmakers: list[BookMove]
    """Ordered by bookmaker key."""


class ChangedRunner(TypedDict):
    """What one book quotes on one runner now. If a (name, book) pair appears more than once, the last row wins."""

    name: str
    """Name of the runner, as in `next-to-go`."""
    number: int
    """Saddlecloth or box number."""
    bookmaker_key: str
    """Bookmaker key."""
    win_price: float | None
    """Current fixed win price in decimal odds. Null if the book withdrew it or the runner is no longer on the card."""
    place_price: float | None
    """Current decimal odds; null if not quoted."""
    top2_price: float | None
    """Current decimal odds; null if not quoted."""
    top3_price: float | None
    """Current decimal odds; null if not quoted."""
    top4_price: float | None
    """Current decimal odds; null if not quoted."""
    updated_at: Instant
    """When the win price last changed (UTC). If the runner came back, changed its number or left the card later than
    that, the time of that change.
    """
    betslip_win_url: NotRequired[str | None]
    """Link that puts the runner on the book’s betslip, on Plus and above. Null if the book has no such link or its
    daily check fails; treat absent and null alike. Bookmakers do not support these links, and they may change
    without notice.
    """
    betslip_place_url: NotRequired[str | None]
    """Link that puts the runner on the book’s betslip, on Plus and above. Null if the book has no such link or its
    daily check fails; treat absent and null alike. Bookmakers do not support these links, and they may change
    without notice.
    """
    betslip_app_only: NotRequired[bool | None]
    """Whether the link opens only in the book’s app, on Plus and above; null without a link."""


class ChangedRace(TypedDict):
    race_id: str
    """Stable id of the race, the same on every racing endpoint."""
    venue: str
    """Venue name as the feeds spell it."""
    race_number: int
    """Number of the race in its meeting."""
    category: Category
    country: str | None
    """ISO 3166 country code; null while the meeting’s country is not confirmed."""
    start_time: Instant
    """Advertised start (UTC); it can move."""
    status: RaceStatus
    market_status: MarketStatus | None
    """Last state reported by the book in `market_state_source`."""
    inplay: bool | None
    """Whether the race is in play. Only an exchange reports it."""
    market_closed_at: Instant | None
    """First poll at which the market was seen closed (UTC). Set once. Null never means open."""
    inplay_at: Instant | None
    """First poll at which the race was seen in play (UTC). Only an exchange reports it."""
    market_state_source: str | None
    """Book that reports the market state; null if it is withheld."""
    scratchings: list[Scratching]
    """The complete current list. A runner in it is never priced; a runner that leaves it is returned again with its
    current prices.
    """
    track_condition_changed_at: Instant | None
    """Latest logged change of the meeting’s track condition (UTC); null if there is none."""
    track_condition: str | None
    """Track condition as published, e.g. `Good (4)`."""
    weather: str | None
    changed_runners: list[ChangedRunner]
    """Runners that left the card, then all others by number and book. Empty if only the race itself changed.
    Unchanged prices are not included.
    """


class RacingChanges(TypedDict):
    server_time: Instant
    """Send this as the next `since` (UTC). It is set back 30 seconds, or further while a write is in progress."""
    races: list[ChangedRace]
    """Ordered by start, then `race_id`."""


class StreamRaceEvent(TypedDict):
    """A whole race, as `next-to-go` reports it: replace what you have of it. Part of the state; later each race that
    comes into view, and one whose runners changed otherwise than in price, by a scratching for example.
    """

    event: Literal["race"]
    id: NotRequired[str]
    """Send the last one back in `Last-Event-ID` when you connect again. It has no meaning of its own."""
    data: NextRace


class StreamState(TypedDict):
    server_time: Instant
    """You have everything that was written before (UTC). It never goes back."""
    race_count: int
    """How many races you have now."""
    horizon_hours: int
    """How far ahead they reach: as far as the plan of the key looks."""


class StreamStateEvent(TypedDict):
    """The state is complete."""

    event: Literal["state"]
    id: str
    """Send the last one back in `Last-Event-ID` when you connect again. It has no meaning of its own."""
    data: StreamState


class StreamRunner(TypedDict):
    """All that one book quotes on one runner now. A leg that the book does not quote is null here and absent from
    `next-to-go`. If all legs and `tote_win` are null, the book no longer quotes the runner.
    """

    name: str
    """Name of the runner, as in `next-to-go`."""
    number: int
    """Saddlecloth or box number."""
    bookmaker_key: str
    """Bookmaker key."""
    win_price: float | None
    """Current fixed win price in decimal odds. Null if the book withdrew it or the runner is no longer on the card."""
    place_price: float | None
    """Current decimal odds; null if not quoted."""
    top2_price: float | None
    """Current decimal odds; null if not quoted."""
    top3_price: float | None
    """Current decimal odds; null if not quoted."""
    top4_price: float | None
    """Current decimal odds; null if not quoted."""
    betslip_win_url: NotRequired[str | None]
    """Link that puts the runner on the book’s betslip, on Plus and above. Null if the book has no such link or its
    daily check fails; treat absent and null alike. Bookmakers do not support these links, and they may change
    without notice.
    """
    betslip_place_url: NotRequired[str | None]
    """Link that puts the runner on the book’s betslip, on Plus and above. Null if the book has no such link or its
    daily check fails; treat absent and null alike. Bookmakers do not support these links, and they may change
    without notice.
    """
    betslip_app_only: NotRequired[bool | None]
    """Whether the link opens only in the book’s app, on Plus and above; null without a link."""
    updated_at: Instant
    """The `last_update` of this quote: when the book last responded about this race (UTC)."""
    tote_win: dict[str, float] | None
    """As in `next-to-go`; null if the book has none."""
    source_url: str | None
    """The book’s page for this race; null if it has no known address."""
    refresh_tier: RefreshTier
    age_basis: AgeBasis


class StreamChangedRace(TypedDict):
    """A race that you have. The members of `GET /v1/racing/changes` are always there; those that only `next-to-go`
    has come with a change of the race itself.
    """

    race_id: str
    """Stable id of the race, the same on every racing endpoint."""
    venue: str
    """Venue name as the feeds spell it."""
    race_number: int
    """Number of the race in its meeting."""
    category: Category
    country: str | None
    """ISO 3166 country code; null while the meeting’s country is not confirmed."""
    start_time: Instant
    """Advertised start (UTC); it can move."""
    status: RaceStatus
    market_status: MarketStatus | None
    """Last state reported by the book in `market_state_source`."""
    inplay: bool | None
    """Whether the race is in play. Only an exchange reports it."""
    market_closed_at: Instant | None
    """First poll at which the market was seen closed (UTC). Set once. Null never means open."""
    inplay_at: Instant | None
    """First poll at which the race was seen in play (UTC). Only an exchange reports it."""
    market_state_source: str | None
    """Book that reports the market state; null if it is withheld."""
    scratchings: list[Scratching]
    """The complete current list. A runner in it is never priced; a runner that leaves it is returned again with its
    current prices.
    """
    track_condition_changed_at: Instant | None
    """Latest logged change of the meeting’s track condition (UTC); null if there is none."""
    track_condition: str | None
    """Track condition as published, e.g. `Good (4)`."""
    weather: str | None
    venue_id: NotRequired[str]
    """Canonical slug of the venue."""
    venue_canonical: NotRequired[str]
    """Canonical display name of the venue."""
    venue_site: NotRequired[str]
    """Slug shared by the tracks of one complex."""
    source_id: NotRequired[str | None]
    """Opaque id of the race at its source; null if unknown."""
    race_name: NotRequired[str | None]
    distance_m: NotRequired[int | None]
    """Distance in metres."""
    race_class: NotRequired[str | None]
    conditions: NotRequired[str | None]
    prize_total: NotRequired[int | None]
    """Total prize money in whole Australian dollars."""
    rail: NotRequired[str | None]
    track_name: NotRequired[str | None]
    """Name of the course at the registry."""
    apprentices_can_claim: NotRequired[bool | None]
    """Whether apprentices may claim a weight allowance; null if the registry does not state it."""
    places_paid: NotRequired[int | None]
    """Number of places that a place bet pays; null if unknown."""
    changed_runners: list[StreamRunner]
    """Of runners that you have, by number."""


class StreamChanges(TypedDict):
    server_time: Instant
    """You have everything that was written before (UTC). It never goes back."""
    races: list[StreamChangedRace]


class StreamChangesEvent(TypedDict):
    """Prices, and members of races, that changed since the last event."""

    event: Literal["changes"]
    id: NotRequired[str]
    """Send the last one back in `Last-Event-ID` when you connect again. It has no meaning of its own."""
    data: StreamChanges


class StreamGone(TypedDict):
    race_id: str
    reason: Literal["jumped", "abandoned", "left", "hidden"]
    """`jumped`: it started, or its advertised start has passed. `abandoned`. `hidden`: your filters no longer select
    it, for its country was corrected. `left`: no visible book prices it, it was taken off the board, or its start
    moved beyond your horizon.
    """


class StreamGoneEvent(TypedDict):
    """Discard this race. After a break it may be one that you do not have."""

    event: Literal["gone"]
    id: NotRequired[str]
    """Send the last one back in `Last-Event-ID` when you connect again. It has no meaning of its own."""
    data: StreamGone


class StreamStaleAfter(TypedDict):
    """A quote is stale when it is older than this."""

    live: int
    """Of the tier `live`."""
    card: int
    """Of the tier `card`."""


class StreamFreshBook(TypedDict):
    key: str
    """Bookmaker key."""
    last_update: Instant
    """When the book last responded to a poll of this race (UTC); for a push-fed book, the time that it gives for its
    prices.
    """
    refresh_tier: RefreshTier


class StreamFreshRace(TypedDict):
    race_id: str
    books: list[StreamFreshBook]
    """Of all its quotes on this race. Only books that responded, or changed their tier, since the last event."""


class StreamFreshness(TypedDict):
    server_time: Instant
    """You have everything that was written before (UTC). It never goes back."""
    stale_after_seconds: StreamStaleAfter
    races: list[StreamFreshRace]


class StreamFreshnessEvent(TypedDict):
    """How fresh the quotes of a book are, at most every five seconds."""

    event: Literal["freshness"]
    id: NotRequired[str]
    """Send the last one back in `Last-Event-ID` when you connect again. It has no meaning of its own."""
    data: StreamFreshness


class StreamReset(TypedDict):
    reason: Literal["too_old", "in_the_future", "unreadable", "other_rights", "other_filters", "clock_set_back", "archived_again"]
    """What is wrong with the `Last-Event-ID`: older than 30 minutes or of a state that was not complete, in the
    future, no id of this stream, or of a plan that looks less or further ahead or differs in betslip links, or of
    another release of the service; of a stream with other filters; or of before the clock of the service was set
    back. `archived_again`, of a replay alone: races were archived again since, and their prices may differ from
    those that you have.
    """


class StreamResetEvent(TypedDict):
    """Discard what you have: the whole state follows."""

    event: Literal["reset"]
    data: StreamReset


class StreamErrorEvent(TypedDict):
    """Why the stream ends here, as the body of a refused request."""

    event: Literal["error"]
    data: Problem


ChangesEvent = Union["StreamRaceEvent", "StreamStateEvent", "StreamChangesEvent", "StreamGoneEvent", "StreamFreshnessEvent", "StreamResetEvent", "StreamErrorEvent"]


class ReplayLeftOut(TypedDict):
    race_id: str
    reason: Literal["on_board", "not_archived", "flagged", "no_prices"]
    """`on_board`: it has not left the live board yet. `not_archived`: its archive is being written. `flagged`: it
    may have been stored as two races. `no_prices`: none of these books had a recorded price up to its jump.
    """


class ReplayRecorded(TypedDict):
    server_time: Instant
    """Race time of this event (UTC)."""
    until: Instant | None
    """Race time of the last jump (UTC); null if no race is played."""
    race_count: int
    """How many races are played."""
    left_out: list[ReplayLeftOut]
    """Races that you selected and that are not played."""
    bookmakers: list[str]
    """Books with at least one recorded price."""
    bookmakers_without_prices: list[Bookmaker]
    """Books that you selected, or all, without one."""
    recorded_minutes: int
    """Prices are recorded from this many minutes before the advertised start."""
    not_recorded: list[str]
    """What the stream of changes has and the archive does not keep: null or missing in every event, or from the
    first event on as last known.
    """


class ReplayRecordedEvent(TypedDict):
    """The first event: what is played, and what of it was not recorded."""

    event: Literal["recorded"]
    id: str
    """Send the last one back to go on after it. It has no meaning of its own."""
    data: ReplayRecorded


ResultStatus = Literal["final", "interim", "abandoned"]
"""`interim` results may still change; `final` once the placings have stood for 30 minutes. Settle only on `final`."""


class ReplayPlacing(TypedDict):
    position: int
    """Finishing position; dead heats share one."""
    number: int
    name: str | None


class ReplayResult(TypedDict):
    race_id: str
    """Stable id of the race, the same on every racing endpoint."""
    venue: str
    """Venue name as the feeds spell it."""
    race_number: int
    """Number of the race in its meeting."""
    category: Category
    country: str | None
    """ISO 3166 country code; null while the meeting’s country is not confirmed."""
    start_time: Instant
    """Advertised start (UTC); it can move."""
    status: ResultStatus
    placings: list[ReplayPlacing]
    """As they stand today. `GET /v1/racing/results` has dividends."""


class ReplayResultEvent(TypedDict):
    """The result, when it became final; without that instant, when it came. Without an id after `reset`."""

    event: Literal["result"]
    id: NotRequired[str]
    """Send the last one back to go on after it. It has no meaning of its own."""
    data: ReplayResult


class ReplayEnd(TypedDict):
    server_time: Instant
    """Race time of this event (UTC)."""
    race_count: int
    """How many races were played."""


class ReplayEndEvent(TypedDict):
    """All was played. Do not connect again."""

    event: Literal["end"]
    id: str
    """Send the last one back to go on after it. It has no meaning of its own."""
    data: ReplayEnd


ReplayEvent = Union["ReplayRecordedEvent", "StreamRaceEvent", "StreamStateEvent", "StreamChangesEvent", "StreamGoneEvent", "StreamResetEvent", "StreamErrorEvent", "ReplayResultEvent", "ReplayEndEvent"]


class TrackFieldSources(TypedDict):
    """Feed that each field comes from; null if the field is null."""

    track_condition: str | None
    going: str | None
    going_rating: str | None
    penetrometer: str | None
    rail: str | None
    track_type: str | None
    weather: str | None


class TrackFieldInstants(TypedDict):
    """When that feed last reported each field (UTC); for a bookmaker, when the change was seen."""

    track_condition: Instant | None
    going: Instant | None
    going_rating: Instant | None
    penetrometer: Instant | None
    rail: Instant | None
    track_type: Instant | None
    weather: Instant | None


class CurrentTrack(TypedDict):
    """For each field, the newest report of any feed; if reports have the same time, the registry’s."""

    track_condition: str | None
    """Track condition as published, e.g. `Good (4)`."""
    going: str | None
    """The going: Good, Soft, Heavy, Firm, Fast, Synthetic, …; null if it cannot be parsed."""
    going_rating: int | None
    """Rating of the going, 1 to 12; null if none is given."""
    penetrometer: str | None
    rail: str | None
    track_type: str | None
    """Turf, synthetic, …"""
    weather: str | None
    source: str | None
    """Feed that the fields come from: `racing_australia` or a bookmaker key; `mixed` if there is more than one; null
    if no field is known.
    """
    sources: TrackFieldSources
    field_as_of: TrackFieldInstants
    as_of: Instant | None
    """The oldest time in `field_as_of` (UTC)."""


class TrackChange(TypedDict):
    observed_at: Instant
    """When the change was seen (UTC)."""
    source: str
    """`racing_australia` or a bookmaker key."""
    category: Category
    track_condition: str
    """Track condition as published, e.g. `Soft (5)`."""
    going: str | None
    """The going: Good, Soft, Heavy, Firm, Fast, Synthetic, …; null if it cannot be parsed."""
    going_rating: int | None
    """Rating of the going, 1 to 12; null if none is given."""
    rail: str | None
    """Rail position at the registry at that time."""
    weather: str | None
    """Weather at the feed at that time."""
    prev_track_condition: str | None
    """Previous condition from the same feed; null on the registry’s first rating, which is not a change."""
    prev_going: str | None
    """The going: Good, Soft, Heavy, Firm, Fast, Synthetic, …; null if it cannot be parsed."""
    prev_going_rating: int | None
    """Rating of the going, 1 to 12; null if none is given."""
    race_id: str | None
    """Race for which the bookmaker reported it; null on the registry’s rows."""


class TrackMeeting(TypedDict):
    category: Category
    venue: str
    """Venue name as the registry spells it, otherwise as most races of the meeting spell it."""
    venue_id: str
    """Canonical slug of the venue."""
    venue_norm: str
    """Folded spelling of `venue`: lowercase words of letters and digits."""
    venue_site: str
    """Slug shared by the tracks of one complex."""
    official_venue_norm: str | None
    """The registry’s spelling, folded; null if the registry does not list the meeting."""
    merged_from: list[str]
    """Raw spellings of this venue; the `venue` parameter accepts any of them."""
    current: CurrentTrack
    changes: list[TrackChange]
    """Oldest first."""


class TrackConditions(TypedDict):
    date: Day
    """Meeting day (Australia/Sydney)."""
    coverage_from: Day
    """First day in the change log."""
    official_block_from: Day
    """First day for which the registry’s own track report is stored."""
    meetings: list[TrackMeeting]
    """Ordered by `category`, then `venue`."""
    note: str
    """What is covered on this day, and what is not."""


class Venue(TypedDict):
    venue_id: str
    """Canonical slug of the venue."""
    venue_canonical: str | None
    """Canonical display name of the venue."""
    venue_site: str | None
    """Slug shared by the tracks of one complex."""
    country: str | None
    """ISO 3166 country code; null if unknown."""
    categories: list[Category]
    """Codes that raced there in that time."""
    spellings: list[str]
    """Spellings that feeds have used, for any code."""


class Placing(TypedDict):
    position: int
    """Finishing position; dead heats share one."""
    number: int
    name: str | None
    """Name of the runner; null if no book has named it."""
    win_price: float | None
    """Settled fixed price of one bookmaker; may be null while interim."""
    place_price: float | None
    """Settled fixed price of one bookmaker; may be null while interim. Null behind the places paid: `places_paid`,
    or three if it is null.
    """
    sp: NotRequired[float | None]
    """Absent if the race has no `runners`."""
    sp_note: NotRequired[str | None]
    """Absent if the race has no `runners`."""
    horse_ref: str | None
    """`pe:` followed by the folded name; null for other codes."""


class ResultRunner(TypedDict):
    """An entry, not necessarily a starter. Settle on `status`."""

    number: int
    name: str
    box: int | None
    position: int | None
    status: Literal["ran", "scratched", "late_scratching", "reserve"]
    dead_heat: bool
    jockey: str | None
    trainer: str | None
    sp: float | None
    """Official starting price; null if unknown."""
    sp_note: str | None
    """`F` favourite, `EF` equal favourite."""
    margin: str | None
    time_s: float | None
    """Time in seconds; of thoroughbreds the winner’s only."""
    abnormal: str | None
    """`Fell`, `PulledUp`, `Disqualified`, `LostRider`, `BroughtDown`, `DidNotFinish`, `LeftAtPost`, `StayedInBox`,
    `TailedOff`, `DidNotStart`; `SB` on a scratched runner: scratched at the barrier.
    """
    runner_ref: str | None
    horse_ref: str | None
    """`pe:` followed by the folded name; null for other codes."""
    origin: str | None
    """Source of the row."""


FieldStatus = Literal["complete", "pending", "overdue", "unavailable", "unsupported", "not_applicable"]
"""Whether the full field (`runners`) is available, and if not, whether it is still expected."""


FieldSource = Literal["racing_australia", "topaz"]
"""Registry that publishes the full field."""


class Deduction(TypedDict):
    name: str | None
    number: int
    win: float | None
    """Deduction per dollar of payout, 0 to 1; null if unknown."""
    place: float | None
    """Deduction per dollar of payout, 0 to 1; null if unknown."""
    scratched_at: Instant | None
    """When the runner was scratched (UTC); null if unknown."""


class StraightDividend(TypedDict):
    name: str | None
    number: int
    position: int | None
    market: Literal["WIN", "PLC"]
    product: str
    """`FIXED`, or a tote product: `SP`, `MIDDIV`, `VIC`, `RD+`, `BT+SP`."""
    amount: float
    """Return on a $1 bet."""


class ExoticDividend(TypedDict):
    code: Literal["QN", "EX", "TF", "FF"]
    type: Literal["Quinella", "Exacta", "Trifecta", "First Four"]
    product: str
    selection: str
    """Saddlecloth numbers, e.g. `8,15,1`."""
    amount: float
    """Return on a $1 bet."""


class MultiRaceLeg(TypedDict):
    race_number: int
    race_id: str | None
    """Id of the race; null if the service does not list it."""


class MultiRaceDividend(TypedDict):
    code: str
    """`QD`, `EQ`, `B6`, `G6`, `TR`, `RD` or `DD`."""
    type: str
    """Quaddie, Early Quaddie, Big 6, Giant 6, Treble, Running Double or Daily Double."""
    legs: list[MultiRaceLeg]
    """The races in order; empty if the book does not name them."""
    selection: str
    """Winning saddlecloth number of each leg."""
    product: str
    amount: float
    """Return on a $1 bet."""


class Dividends(TypedDict):
    straight: list[StraightDividend]
    exotics: list[ExoticDividend]
    """Declared some minutes after the placings."""
    multi_race: NotRequired[list[MultiRaceDividend]]
    """Present on the race that is the final leg; absent on meeting days before 2026-09-29."""
    straight_types: list[str]
    """Raw product codes in `straight`."""


class RaceResult(TypedDict):
    race_id: str | None
    """Stable id of the race, the same on every racing endpoint."""
    venue: str
    """Venue name as the feeds spell it."""
    venue_id: str
    """Canonical slug of the venue."""
    venue_canonical: str
    """Canonical display name of the venue."""
    venue_site: str
    """Slug shared by the tracks of one complex."""
    race_number: int
    """Number of the race in its meeting."""
    category: Category
    country: str | None
    """ISO 3166 country code; null while the meeting’s country is not confirmed."""
    start_time: Instant
    """Advertised start (UTC); it can move."""
    coverage_from: Instant | None
    """Start of the earliest stored result (UTC)."""
    race_name: str | None
    distance_m: int | None
    """Distance in metres."""
    track_condition: str | None
    """Track condition as published."""
    going: str | None
    """Good, Soft, Heavy, Firm, Fast or Synthetic; null if it cannot be parsed."""
    going_rating: int | None
    """Rating of the going; null if none is given."""
    weather: str | None
    status: ResultStatus
    status_note: str | None
    """For an abandoned race: `abandoned`, `postponed` or `transferred to …`. For an interim result: the protest that
    delays it. For placings set by an operator: the reason. Otherwise null.
    """
    placings: list[Placing]
    """The first four positions, best first; empty if the race was abandoned."""
    places_paid: int | None
    """Number of places that a place bet at the start pays, as the race reports it, or from its full field or its
    card; 0: no place betting. Null if it is not known or the race was abandoned.
    """
    runners: list[ResultRunner] | None
    """The full field; null, never empty, if it is not available."""
    field_status: FieldStatus
    field_source: FieldSource | None
    """Registry that publishes the full field."""
    field_note: str | None
    """For `pending` and `overdue`: when the next collection pass is expected, or that none is left. For
    `unavailable`: that none is scheduled. For `complete`: present only if the official order of finish differs
    from the placings.
    """
    deductions: list[Deduction]
    dividends: Dividends | None
    resulted_at: Instant | None
    """When the first placings were written (UTC); null if the race was abandoned."""
    market_closed_at: Instant | None
    """First poll at which the market was seen closed (UTC). Set once. Null never means open."""
    inplay_at: Instant | None
    """First poll at which the race was seen in play (UTC). Only an exchange reports it."""
    market_state_source: str | None
    """Book that reports the market state; null if it is withheld."""


class CategoryCoverage(TypedDict):
    country: str | None
    category: Category
    field_source: NotRequired[FieldSource]
    races: int
    complete: int
    """The full field is available."""
    pending: int
    """A collection pass is still to come."""
    overdue: int
    """A collection pass ran without writing the field; the collector keeps retrying."""
    unavailable: int
    """No further pass is scheduled; the field may still be written later."""
    unsupported: int
    """No registry is collected for this code and country."""
    not_applicable: int
    """The race did not run."""
    without_result: int
    """Races that started more than two hours ago and have no result; not part of `races`."""


class DayCoverage(TypedDict):
    day: Day
    """Meeting day (Australia/Sydney)."""
    country: str | None
    category: Category
    field_source: NotRequired[FieldSource]
    races: int
    complete: int
    """The full field is available."""
    pending: int
    """A collection pass is still to come."""
    overdue: int
    """A collection pass ran without writing the field; the collector keeps retrying."""
    unavailable: int
    """No further pass is scheduled; the field may still be written later."""
    unsupported: int
    """No registry is collected for this code and country."""
    not_applicable: int
    """The race did not run."""
    without_result: int
    """Races that started more than two hours ago and have no result; not part of `races`."""


class IncompleteMeeting(TypedDict):
    day: Day
    """Meeting day (Australia/Sydney)."""
    venue: str
    """Venue name as the feeds spell it; pass it as `venue` to `results`."""
    venue_id: str
    category: Category
    country: str | None
    settled: bool
    """Whether every race counted here is final or abandoned, and none is without a result."""
    races: int
    complete: int
    """The full field is available."""
    pending: int
    """A collection pass is still to come."""
    overdue: int
    """A collection pass ran without writing the field; the collector keeps retrying."""
    unavailable: int
    """No further pass is scheduled; the field may still be written later."""
    unsupported: int
    """No registry is collected for this code and country."""
    not_applicable: int
    """The race did not run."""
    without_result: int
    """Races that started more than two hours ago and have no result; not part of `races`."""


class ResultsCoverage(TypedDict):
    as_of: Instant
    """Time of this response (UTC)."""
    days: int
    """Number of Sydney days counted."""
    from_day: Day
    """First Sydney day counted."""
    to_day: Day
    """Today in Sydney; its counts are partial."""
    coverage_from: Instant | None
    """Start of the earliest stored result (UTC)."""
    races: int
    complete: int
    """The full field is available."""
    pending: int
    """A collection pass is still to come."""
    overdue: int
    """A collection pass ran without writing the field; the collector keeps retrying."""
    unavailable: int
    """No further pass is scheduled; the field may still be written later."""
    unsupported: int
    """No registry is collected for this code and country."""
    not_applicable: int
    """The race did not run."""
    without_result: int
    """Races that started more than two hours ago and have no result; not part of `races`."""
    collectable: int
    """`races` minus `unsupported` and `not_applicable`."""
    complete_pct: float | None
    """`complete` in percent of `races`; null if there are none."""
    supported_complete_pct: float | None
    """`complete` in percent of `collectable`; null if there are none."""
    by_category: list[CategoryCoverage]
    by_day: list[DayCoverage]
    """Newest day first."""
    venues_incomplete: list[IncompleteMeeting]
    """Meetings with a missing collectable field or a race without a result: most missing first, then newest day; at
    most 200.
    """
    venues_incomplete_truncated: bool
    """Whether `venues_incomplete` is cut off at its maximum length."""
    field_scope: str
    """What is counted, as a sentence."""


class AcceptancesCompleteness(TypedDict):
    counts_cover_every_published_meeting: bool
    """Whether every meeting with published acceptances has been read."""
    known_missing_runners: int
    meetings_acceptances_unpublished: int
    meetings_emergency_data_unknown: int
    meetings_scratching_data_unknown: int
    meetings_scratching_sheet_absent_for_whole_date: int
    meetings_withheld_acceptance_data_unknown: int
    races_checks_passed: int
    races_gap_detected: int
    races_unverified: int
    runners_without_emergency_data: int
    runners_without_scratching_data: int
    withheld_acceptance_slots: int | None
    withheld_acceptance_slots_unplaced: int | None
    withheld_acceptances: Literal["parsed", "unknown_date"]


RunnerSetStatus = Literal["checks_passed", "gap_detected", "unverified"]
"""Whether the runner set passed its completeness checks. Unless it is `checks_passed`, counts are minimums."""


class AcceptedTrack(TypedDict):
    track_condition: str | None
    """Track condition as published."""
    going: str | None
    going_rating: int | None
    rail: str | None
    weather: str | None
    penetrometer: str | None
    track_type: str | None
    track_info: str | None
    dual_track: bool | None


class MissingRunner(TypedDict):
    number: int
    name: str | None
    scratched: bool | None
    source: Literal["scratching_sheet", "number_sequence", "withheld_acceptance"]
    cause: Literal["duplicate_runner_key", "declared_preferred", "eliminated_emergency", "not_determinable"]
    cause_detail: str
    """Why the runner counts as missing, as a sentence."""
    withheld_acceptance: bool | None


class AcceptanceScratching(TypedDict):
    scratched_at: Instant | None
    """When the runner was scratched (UTC): the reporting book’s timestamp, otherwise the official sheet’s."""
    late: bool | None
    emergency: bool | None
    eliminated: bool | None
    """Whether the runner was an emergency that did not gain a start. Null for a scratched emergency: the sheet does
    not distinguish the two.
    """
    note: str | None


class AcceptedRunner(TypedDict):
    number: int
    """Saddlecloth number."""
    runner_name: str
    """Name as the registry publishes it."""
    runner_key: str
    """Folded name: lowercase letters and digits."""
    runner_ref: str | None
    """`ra:` followed by the registry’s code of this horse at this meeting."""
    horse_ref: str | None
    """Persistent identity of the horse: `pe:` followed by its folded name."""
    barrier: int | None
    jockey: str | None
    trainer: str | None
    weight_kg: float | None
    """Allotted weight in kilograms, before any claim."""
    last10: str | None
    """Recent finishing positions, oldest to newest; `x` is a spell, `0` is tenth or worse."""
    hcp_rating: float | None
    """Handicap rating."""
    trainer_code: str | None
    """Registry code of the trainer."""
    raceentry_code: str | None
    """Registry code of this entry in this race."""
    emergency: bool | None
    scratched: bool | None
    """Whether the runner is scratched. Null if no scratching sheet has been read and no book reports the runner as
    scratched.
    """
    scratching: AcceptanceScratching | None


class AcceptedRace(TypedDict):
    race_number: int
    race_name: str
    start_time_local: str | None
    """Local time in the state of the meeting, e.g. `2:00PM`."""
    distance_m: int
    """Distance in metres."""
    conditions: str | None
    race_class: str | None
    prize_total: int | None
    """Prize money in whole Australian dollars."""
    prize_breakdown: dict[str, int] | None
    """Prize money by place (`1st`, …), in whole Australian dollars."""
    bonus: str | None
    track_name: str | None
    track_type: str | None
    field_limit: int | None
    """Maximum field size."""
    runner_count: int | None
    """All acceptances, emergencies included."""
    emergency_count: int | None
    """Emergencies."""
    declared_count: int | None
    """Runners that are not emergencies."""
    scratched_count: int | None
    """Scratched runners, emergencies included."""
    unscratched_count: int | None
    """Runners that are not scratched."""
    declared_scratched_count: int | None
    """Scratched runners that are not emergencies."""
    declared_remaining_count: int | None
    """Declared runners that are not scratched."""
    runner_set_status: RunnerSetStatus
    runner_set_note: str | None
    """Why the counts are minimums; null if the checks passed."""
    missing_runners: list[MissingRunner]
    runners: list[AcceptedRunner]
    """Ordered by saddlecloth number."""


class AcceptedMeeting(TypedDict):
    venue: str
    """Venue name as the registry spells it."""
    venue_id: str
    venue_norm: str
    """Folded spelling of `venue`: lowercase words of letters and digits."""
    venue_site: str
    acceptances_published: bool
    """Whether the registry has published the acceptances."""
    publication_note: Literal["past", "unpublished"] | None
    """Why there are no acceptances: the day is past, or they are not published yet. Null if they are published."""
    as_of: Instant | None
    """When the acceptances were last read (UTC); null if they have not been read."""
    race_count: int | None
    runner_count: int | None
    """All acceptances, emergencies included."""
    emergency_count: int | None
    """Emergencies."""
    declared_count: int | None
    """Runners that are not emergencies."""
    scratched_count: int | None
    """Scratched runners, emergencies included."""
    unscratched_count: int | None
    """Runners that are not scratched."""
    declared_scratched_count: int | None
    """Scratched runners that are not emergencies."""
    declared_remaining_count: int | None
    """Declared runners that are not scratched."""
    emergency_data: Literal["parsed", "unknown"]
    scratching_data: Literal["parsed", "unknown_date", "unknown_meeting"]
    """`parsed`: the scratching sheet of the meeting was read. `unknown_meeting`: no sheet of this meeting was read.
    `unknown_date`: no sheet of any meeting of the day was read.
    """
    scratching_sheet_as_of: Instant | None
    """When the official scratching sheet was last read (UTC); null if it has not been read."""
    withheld_acceptance_data: Literal["parsed", "unplaced", "unknown"]
    withheld_acceptance_slots_unplaced: int | None
    runner_set_status: RunnerSetStatus
    track: AcceptedTrack
    races: list[AcceptedRace]


class Acceptances(TypedDict):
    date: Day
    """Meeting day (Australia/Sydney)."""
    date_status: Literal["past", "today", "future"]
    meeting_count: int
    race_count: int
    runner_count: int
    """All acceptances, emergencies included."""
    emergency_count: int | None
    """Emergencies."""
    declared_count: int | None
    """Runners that are not emergencies."""
    scratched_count: int | None
    """Scratched runners, emergencies included."""
    unscratched_count: int | None
    """Runners that are not scratched."""
    declared_scratched_count: int | None
    """Scratched runners that are not emergencies."""
    declared_remaining_count: int | None
    """Declared runners that are not scratched."""
    as_of: Instant | None
    """The oldest `as_of` of the meetings (UTC); null if no meeting has been read."""
    completeness: AcceptancesCompleteness
    meetings: list[AcceptedMeeting]
    note: str
    """What the data covers, and how to read the counts."""


class FormRace(TypedDict):
    race_id: str
    """Stable id of the race, the same on every racing endpoint."""
    venue: str
    """Venue name as the feeds spell it."""
    venue_id: str
    """Canonical slug of the venue."""
    venue_canonical: str
    """Canonical display name of the venue."""
    venue_site: str
    """Slug shared by the tracks of one complex."""
    race_number: int
    """Number of the race in its meeting."""
    category: Category
    country: str | None
    """ISO 3166 country code; null while the meeting’s country is not confirmed."""
    start_time: Instant
    """Advertised start (UTC); it can move."""
    date: Day
    """Meeting day (Australia/Sydney)."""
    race_name: str | None
    distance_m: int | None
    """Distance in metres."""
    track_condition: str | None
    """Track condition as published, e.g. `Good (4)`."""
    going: str | None
    """Good, Soft, Heavy, Firm, Fast or Synthetic; null if it cannot be parsed."""
    going_rating: int | None
    """Rating of the going; null if none is given."""
    race_class: str | None
    result_status: ResultStatus | None
    """`interim` results may still change; `final` once the placings have stood for 30 minutes. Settle only on
    `final`.
    """


class FormRecord(TypedDict):
    """Totals over the listed runs only, not a career record. If `finishes_known` < `runs`, the counts are minimums."""

    runs: int
    """Number of runs in `runs`."""
    finishes_known: int
    """Number of runs with a known finish."""
    wins: int
    seconds: int
    thirds: int


class FormRun(TypedDict):
    race_id: str
    """Stable id of the race, the same on every racing endpoint."""
    date: Day
    """Meeting day (Australia/Sydney)."""
    start_time: Instant
    """Last advertised start (UTC)."""
    venue: str
    """Venue name as the feeds spell it."""
    venue_id: str
    """Canonical slug of the venue."""
    race_number: int
    """Number of the race in its meeting."""
    category: Category
    country: str | None
    """ISO 3166 country code; null while the meeting’s country is not confirmed."""
    distance_m: int | None
    """Distance in metres."""
    track_condition: str | None
    """Track condition as published, e.g. `Good (4)`."""
    going: str | None
    """Good, Soft, Heavy, Firm, Fast or Synthetic; null if it cannot be parsed."""
    going_rating: int | None
    """Rating of the going; null if none is given."""
    race_name: str | None
    race_class: str | None
    field_size: int | None
    """Number of starters; null if the full field is not available."""
    number: int
    """Saddlecloth or box number in that race."""
    barrier: int | None
    """Barrier, or a greyhound’s box."""
    jockey: str | None
    """On that day."""
    trainer: str | None
    """On that day."""
    weight_kg: float | None
    """Weight in kilograms, from the card of that race."""
    position: int | None
    """Finishing position. Null does not mean that the runner lost: see `finish_known`."""
    status: Literal["ran"] | None
    """`ran`: the runner started. Null: the runner was on the card and was not reported as scratched, but no official
    source confirms that it started.
    """
    finish_known: bool
    """Whether the result gives the runner’s finish, or in `abnormal` why it did not finish. Without the full field,
    a result names only placegetters (harness, New Zealand, and other races until their field is available); for
    all other runners this is false.
    """
    dead_heat: bool | None
    abnormal: str | None
    """`Fell`, `PulledUp`, `Disqualified`, …"""
    margin: str | None
    """Margin to the winner as printed, e.g. `2.75L`; null for the winner."""
    time_s: float | None
    """Time in seconds; for thoroughbreds, only the winner’s is published."""
    sp: float | None
    """Official starting price; null if unknown."""
    sp_note: str | None
    """`F` favourite, `EF` equal favourite."""
    win_price: float | None
    """Settled fixed price of one bookmaker, for placegetters."""
    place_price: float | None
    """Settled fixed price of one bookmaker, for placegetters."""
    result_status: Literal["interim", "final"]
    """An `interim` result may still change."""
    runner_ref: str | None
    """Registry id in that race: a horse’s changes with each meeting, a greyhound’s is permanent."""
    joined_by: Literal["runner_ref", "name"]
    """How the run was matched to the runner: by a permanent registry id, or by the folded name."""


class FormRunner(TypedDict):
    number: int
    """Saddlecloth or box number."""
    name: str
    barrier: int | None
    jockey: str | None
    trainer: str | None
    weight: float | None
    """Weight in kilograms."""
    form: str | None
    runner_ref: str | None
    """Registry id of the entry: `ra:…`, `grv:…` or `grsa:…`."""
    horse_ref: str | None
    """Persistent identity of a thoroughbred: `pe:` followed by its folded name. Null for other codes."""
    emergency: bool | None
    """Whether the runner is an emergency."""
    scratched: bool
    """Whether the runner is out of this race; also true for a reserve that did not gain a start."""
    scratched_at: Instant | None
    """When the runner was scratched (UTC); null if unknown."""
    record: FormRecord
    reason: Literal["not_covered", "vacant_box", "name_twice_in_race", "name_shared", "runs_collide"] | None
    """Why `runs` is empty although runs may be stored; otherwise null. `not_covered`: Hong Kong. `vacant_box`: the
    box is empty. `name_twice_in_race`: two runners of this race share a folded name. `name_shared`: registry ids
    or countries of birth show that two animals share the name, and not every run can be assigned to one of them.
    `runs_collide`: one animal cannot have run all of them.
    """
    runs: list[FormRun]
    """Newest first; all started before this race."""


class RaceForm(TypedDict):
    race: FormRace
    field: Literal["card", "result"]
    """`result` once the settled field is available: `runners` are its entries. `card` until then."""
    as_of: Instant
    """Time of this response (UTC)."""
    coverage_from: Instant | None
    """Start of the earliest stored result (UTC): no list goes back further."""
    runners: list[FormRunner]
    """Ordered by number."""
    reason: Literal["no_card"] | None
    """Why `runners` is empty; otherwise null. `no_card`: no runners of this race are stored, e.g. because it was
    first listed after it had run.
    """


PremiershipState = Literal["AUS", "NSW", "VIC", "QLD", "SA", "WA", "TAS", "NT", "ACT"]
"""`AUS` is the national table."""


PremiershipScope = Literal["all", "metro", "provincial", "country", "picnic"]
"""Kind of meeting; `all` has every kind."""


PremiershipSeason = Literal["current", "previous"]


class PremiershipRow(TypedDict):
    state: PremiershipState
    scope: PremiershipScope
    rank: int
    """Place in its table."""
    name: str
    """Name as the registry publishes it."""
    ra_code: str | None
    """Registry code of the person: the `trainer_code` of acceptances is the same. Null if the registry links no
    person.
    """
    firsts: float | None
    """Wins; a dead heat may count as a half."""
    seconds: float | None
    """Second places; a dead heat may count as a half."""
    thirds: float | None
    """Third places; a dead heat may count as a half."""
    fourths: float | None
    """Fourth places; a dead heat may count as a half."""
    fifths: float | None
    """Fifth places; a dead heat may count as a half."""
    prize_money: float | None
    """Australian dollars."""
    strike_rate: float | None
    """Wins per 100 starts, as published."""
    starts: int | None
    period_from: Day | None
    """First day that the row covers."""
    period_to: Day | None
    """Last day that the row covers."""


class PremiershipSource(TypedDict):
    feed: Literal["racing-australia-premierships"]
    region: Literal["AU"]
    sport: Literal["thoroughbred"]
    scraped_at: Instant | None
    """Newest read of the registry among the rows returned; without rows, among the tables searched (UTC)."""
    top_n: Literal[20]
    """Only so many rows of each table are stored."""


class Premiership(TypedDict):
    role: Literal["jockey", "trainer"]
    season_start_year: int
    """Year in which the season began on 1 August."""
    state: PremiershipState | None
    """`AUS` is the national table."""
    scope: PremiershipScope | None
    """Kind of meeting; `all` has every kind."""
    name: str | None
    """The `name` that was searched for."""
    rows: list[PremiershipRow]
    """By state, scope and rank. Empty: no such name is in the top 20 of these tables, or the table has no rows."""
    source: PremiershipSource


ClvMarket = Literal["win", "place"]
"""Market of a bet."""


class ClvBet(TypedDict):
    """A win or place bet at a fixed price. A member that is null counts as absent."""

    race_id: NotRequired[str | None]
    """Id of the race, a UUID. If it is sent, `venue`, `meeting_date` and `race_number` are ignored. An id that no
    race has makes the bet `race_not_found`.
    """
    venue: NotRequired[str | None]
    """Venue name, case-insensitive, in any spelling that `GET /v1/racing/venues` lists. Without `race_id`,
    `meeting_date` and `race_number` are required too.
    """
    meeting_date: NotRequired[Day | None]
    """Meeting day (Australia/Sydney). See `venue`."""
    race_number: NotRequired[int | None]
    """Number of the race in its meeting. See `venue`."""
    runner_ref: NotRequired[str | None]
    """Registry id of the entry. A bet needs at least one of `runner_ref`, `runner_number` and `runner_name`; the
    runner must match all that are sent.
    """
    runner_number: NotRequired[int | None]
    """Saddlecloth or box number."""
    runner_name: NotRequired[str | None]
    """Name of the runner; case, spaces, punctuation and a country suffix are ignored."""
    market: NotRequired[ClvMarket | None]
    """Market of the bet. Default: `win`. A place bet is measured against place prices and settled on the places
    paid.
    """
    price: float
    """Price taken, in decimal odds."""
    stake: NotRequired[float | None]
    """Stake in any currency unit, 1 if absent; profit is rounded to two decimals."""
    bookmaker: NotRequired[str | None]
    """Bookmaker key, case-insensitive. The bet is measured against this book’s own close instead of `reference`."""
    placed_at: NotRequired[Instant | None]
    """When the bet was struck. It decides which deductions apply (those for runners scratched later) and how many
    places are paid. If it is not sent, deductions apply as to a bet struck 60 minutes before the advertised
    start, when capture begins. RFC 3339 with a UTC offset, such as `2026-11-21T16:20:00+11:00`; digits beyond
    milliseconds are ignored.
    """
    ref: NotRequired[str | None]
    """Your reference, returned unchanged."""


ClvReference = Literal["best", "median"]
"""What a bet that names no bookmaker is measured against: the highest close across books, or their median. Default:
`best`.
"""


class ClvRequest(TypedDict):
    bets: list[ClvBet]
    reference: NotRequired[ClvReference]


class ClvSummary(TypedDict):
    """Averages cover the bets that have the figure, as displayed; null if no bet has it."""

    bets: int
    scored: int
    """Number of bets with a `clv_pct`."""
    settled: int
    """Number of bets with a `result`."""
    average_clv_pct: float | None
    median_clv_pct: float | None
    beat_close: int
    beat_close_pct: float | None
    """Bets that beat the close, in percent of scored bets."""
    won: int
    lost: int
    refunded: int
    win_pct: float | None
    """Won bets, in percent of won and lost bets."""
    staked: float | None
    """Total stake of the won and lost bets."""
    pnl: float | None
    roi_pct: float | None
    """`pnl` in percent of `staked`."""
    flat_roi_pct: float | None
    """`roi_pct` as if all won and lost bets had the same stake."""


class ClvScore(TypedDict):
    index: int
    """Position in the request, from 0."""
    ref: str | None
    """As sent."""
    race_id: str | None
    venue: str | None
    meeting_date: Day | None
    """Meeting day (Australia/Sydney)."""
    race_number: int | None
    category: Category | None
    """Thoroughbred (`horse`), `harness` or `greyhound`."""
    country: str | None
    """ISO 3166 country code."""
    start_time: Instant | None
    """Advertised start (UTC)."""
    jump_at: Instant | None
    """The jump that the close is measured to (UTC): the market’s close, otherwise the advertised start. Null if the
    race has not jumped.
    """
    runner_number: int | None
    runner_name: str | None
    runner_ref: str | None
    horse_ref: str | None
    """`pe:` followed by the folded name; null for other codes."""
    market: ClvMarket
    price: float
    """Price taken, in decimal odds."""
    stake: float
    bookmaker: str | None
    """Bookmaker key."""
    placed_at: Instant | None
    measured_against: Literal["bookmaker", "best", "median"]
    """`bookmaker` if the bet names one, otherwise `reference`."""
    close_price: float | None
    """Price that the bet is measured against. If `reason` is set, the price is shown but not measured against."""
    close_bookmaker: str | None
    """Book whose close it is; null for a median."""
    close_secs_to_jump: int | None
    """How many seconds before the jump the price was last seen; 0 if it stood at the jump. For a median, that of its
    oldest price.
    """
    is_closing_line: bool | None
    """Whether the price was last seen within 300 s of the jump."""
    best_close_price: float | None
    """Highest closing line across books, without placeholders."""
    best_close_bookmaker: str | None
    median_close_price: float | None
    """Median closing line across books, without placeholders."""
    books_in_close: int | None
    """Number of books whose closing lines these two prices use; null if no close was looked up."""
    clv_pct: float | None
    """`100 * (price / close_price - 1)`, computed before a median is rounded. Positive: better than the close."""
    beat_close: bool | None
    """Whether `clv_pct` is above 0."""
    reason: Literal["race_not_found", "race_ambiguous", "no_card", "runner_not_found", "runner_ambiguous", "race_abandoned", "runner_scratched", "not_jumped", "no_close", "last_seen_only", "placeholder_close"] | None
    """Why `clv_pct` is null."""
    result: Literal["won", "lost", "refunded"] | None
    """Outcome of the bet; null unless the result is final or the race is abandoned."""
    result_status: ResultStatus | None
    """`interim` results may still change; `final` once the placings have stood for 30 minutes. Settle only on
    `final`.
    """
    dead_heat: bool | None
    """Whether runners shared its position; null unless the bet won."""
    deduction: float | None
    """Deduction for scratchings per dollar of payout, 0 to 1; null unless the bet won."""
    deduction_assumed: bool | None
    """Whether the deduction rests on an assumption: a deduction is published and `placed_at` was not sent (the bet
    counts as struck 60 minutes before the start) or the time of the scratching is unknown (the deduction counts),
    or a runner was scratched after the bet, no deduction is published for it and none was applied. Null unless
    the bet won.
    """
    pnl: float | None
    """Profit at the price taken, in the unit of the stake, rounded to two decimals, after deductions and dead heats."""
    result_reason: Literal["race_not_found", "race_ambiguous", "no_card", "runner_not_found", "runner_ambiguous", "not_resulted", "not_covered", "result_not_final", "runner_unknown", "start_not_proven", "placings_incomplete", "result_contradictory", "deduction_unknown", "places_unknown", "race_abandoned", "runner_scratched", "reserve_did_not_run", "no_place_betting"] | None
    """Why `result` is null, or why the stake was refunded. `no_place_betting`: too few runners for a place bet.
    `places_unknown`: how many places were paid is not known, and it matters.
    """
    note: str | None
    """The reasons and uncertainties as sentences; null if there are none."""
    candidates: list[RaceCandidate] | None
    """For `race_ambiguous`: the races that matched, ordered by start."""


class ClvReport(TypedDict):
    reference: ClvReference
    closing_line_seconds: int
    """A price last seen within this many seconds of the jump is a closing line."""
    summary: ClvSummary
    bets: list[ClvScore]
    """The scored bets, in the order sent."""


MarketName = Literal["win", "place", "top2", "top3", "top4", "exotics"]


class MarketsRace(TypedDict):
    race_id: str
    """Stable id of the race, the same on every racing endpoint."""
    venue: str
    """Venue name as the feeds spell it."""
    venue_id: str
    """Canonical slug of the venue."""
    venue_canonical: str
    """Canonical display name of the venue."""
    venue_site: str
    """Slug shared by the tracks of one complex."""
    race_number: int
    """Number of the race in its meeting."""
    category: Category
    country: str | None
    """ISO 3166 country code; null while the meeting’s country is not confirmed."""
    start_time: Instant
    """Advertised start (UTC); it can move."""
    race_name: str | None
    distance_m: int | None
    """Distance in metres."""
    track_condition: str | None
    """Track condition as published, e.g. `Good (4)`."""
    weather: str | None
    race_class: str | None
    conditions: str | None
    prize_total: int | None
    """Total prize money in whole Australian dollars."""
    rail: str | None
    track_name: str | None
    """Name of the course at the registry."""
    apprentices_can_claim: NotRequired[bool | None]
    """Whether apprentices may claim a weight allowance; null if the registry does not state it."""
    track_condition_changed_at: Instant | None
    """Latest logged change of the meeting’s track condition (UTC); null if there is none."""
    places_paid: int | None
    """Number of places that a place bet pays; null if unknown."""
    secs_to_jump: int
    """Seconds to the advertised start, rounded down; negative after it."""
    status: Literal["upcoming", "jumped", "off_board", "abandoned"]
    """`jumped` once the market is seen closed; if no book reports that, from the advertised start. `off_board` once
    the race has left the live board, ten minutes after the jump.
    """


class RunnersPriced(TypedDict):
    """By listed market: the number of runners on which the book quotes it."""

    win: NotRequired[int]
    place: NotRequired[int]
    top2: NotRequired[int]
    top3: NotRequired[int]
    top4: NotRequired[int]


class MarketBook(TypedDict):
    bookmaker: str
    """Bookmaker key."""
    runners_priced: RunnersPriced
    last_update: Instant
    """When the book last responded to a poll of this race (UTC); for a push-fed book, the time that it gives for its
    prices.
    """
    age_seconds: int
    """Seconds since `last_update`."""
    stale: bool
    """Whether the quote is older than the threshold of its tier (120 s live, 1800 s card), or is the last stored
    quote of a race that has left the board.
    """
    refresh_tier: RefreshTier | None
    """`live` within three hours of the jump, `card` before that; some books have their own limit."""
    age_basis: AgeBasis
    source_url: str | None
    """The book’s page for this race; null if it has no known address."""


class MarketQuote(TypedDict):
    price: float
    """Decimal odds."""
    bookmaker: str
    """Bookmaker key."""
    last_update: Instant
    """When the book last responded to a poll of this race (UTC); for a push-fed book, the time that it gives for its
    prices.
    """
    age_seconds: int
    """Seconds since `last_update`."""
    stale: bool
    """Whether the quote is older than the threshold of its tier (120 s live, 1800 s card), or is the last stored
    quote of a race that has left the board.
    """
    refresh_tier: RefreshTier | None
    """`live` within three hours of the jump, `card` before that; some books have their own limit."""
    age_basis: AgeBasis
    source_url: str | None
    """The book’s page for this race; null if it has no known address."""


class RunnerMarket(TypedDict):
    """One market on one runner. `best` is null and `quotes` is empty if no book quotes it."""

    best: MarketQuote | None
    books_quoting: int
    """Number of distinct books that quote it, placeholders included."""
    price_spread_pct: float | None
    """How much higher the best price is than the worst, in percent of the worst; 0 with one book, null without a
    price.
    """
    suspects: list[SuspectQuote]
    """Placeholder quotes. They are never the best, but are included in `quotes`."""
    quotes: list[MarketQuote]
    """Highest price first; equal prices by freshness."""


class RunnerMarkets(TypedDict):
    """By market; one that `markets` does not list is absent."""

    win: NotRequired[RunnerMarket]
    place: NotRequired[RunnerMarket]
    top2: NotRequired[RunnerMarket]
    top3: NotRequired[RunnerMarket]
    top4: NotRequired[RunnerMarket]


class MarketRunner(TypedDict):
    number: int
    """Saddlecloth or box number."""
    name: str
    barrier: int | None
    jockey: str | None
    trainer: str | None
    weight: float | None
    """Weight in kilograms."""
    form: str | None
    runner_ref: str | None
    """Registry id of the entry: `ra:…`, `grv:…` or `grsa:…`."""
    horse_ref: str | None
    """Persistent identity of a thoroughbred: `pe:` followed by its folded name. Null for other codes."""
    markets: RunnerMarkets


class SettledExotics(TypedDict):
    """Quinella, exacta, trifecta and first four. An `interim` dividend may still change."""

    status: ResultStatus | None
    """`interim` results may still change; `final` once the placings have stood for 30 minutes. Settle only on
    `final`.
    """
    settled: bool
    """Whether the result is final. Settle on these dividends only then."""
    status_note: str | None
    """For an abandoned race: `abandoned`, `postponed` or `transferred to …`. For an interim result: the protest that
    delays it. Otherwise null.
    """
    resulted_at: Instant | None
    """When the first placings were written (UTC); null before."""
    settled_at: Instant | None
    """When the result became final (UTC); null before."""
    dividends: list[ExoticDividend]
    """Declared some minutes after the placings; a dividend that is not declared is absent."""


class RaceMarkets(TypedDict):
    race: MarketsRace
    as_of: Instant
    """Time of this response (UTC); ages count to it."""
    markets: list[MarketName]
    """The requested markets; in Hong Kong, `win` and `place` of them."""
    prices: Literal["current", "last_held"]
    """`current`: the race takes bets. `last_held`: it takes no more bets; every price is the last one seen, as old
    as its `last_update`.
    """
    market_percentage: float | None
    """Sum of the implied probabilities at the best win prices, in percent; null if `win` was not requested or a
    runner that is not an emergency has no win price.
    """
    data_age_seconds: int | None
    """Age of the oldest quote, in seconds; null without a quote."""
    freshest_age_seconds: int | None
    """Age of the newest quote, in seconds; null without a quote."""
    bookmakers: list[MarketBook]
    """Books that quote any of these markets, ordered by bookmaker key."""
    runners: list[MarketRunner]
    """Ordered by number. Scratched runners are listed only in `scratchings`."""
    scratchings: list[Scratching]
    """Scratched runners; they are never priced."""
    exotics: NotRequired[SettledExotics]
    note: str | None
    """How to read the prices of a race that takes no more bets; null before."""


class PricePoint(TypedDict):
    captured_at: Instant
    """When the price was captured (UTC)."""
    secs_to_jump: int
    """Seconds from then to the jump, rounded down. Negative: seen late, after the jump; it counts in no figure."""
    win_price: float
    """Decimal odds."""
    lay_price: float | None
    """Withheld: always null for customers."""


class PriceHistoryBook(TypedDict):
    key: str
    """Bookmaker key."""
    open_price: float | None
    """First captured price; a market open only if `open_is_baseline`. Null, as all figures: nothing was captured up
    to the jump.
    """
    close_price: float | None
    """Last price captured up to the jump; not necessarily a closing line."""
    open_secs_to_jump: int | None
    """Seconds from the capture of `open_price` to the jump."""
    close_secs_to_jump: int | None
    """Seconds from the capture of `close_price` to the jump; negative only while a race is late and has not jumped."""
    open_is_baseline: bool
    """Whether `open_price` stood when the hour before the advertised start began. False: the book joined later, or
    its price moved before then.
    """
    high: float | None
    """Highest price captured up to the jump."""
    low: float | None
    """Lowest price captured up to the jump."""
    move_pct: float | None
    """Move from `open_price` to `close_price`, in percent. Positive: the price drifted."""
    points_count: int
    """Number of captured prices, whether returned or not."""
    points: NotRequired[list[PricePoint]]
    """Captured prices in time, changes only: each stood until the next. Absent with `include_points=false`."""


class PriceHistoryRunner(TypedDict):
    name: str
    """Name of the runner; of one that is not on the card under this number, as the book’s letters and digits."""
    number: int
    """Saddlecloth or box number."""
    bookmakers: list[PriceHistoryBook]
    """Ordered by bookmaker key."""


class PriceHistory(TypedDict):
    race_id: str
    """Stable id of the race, the same on every racing endpoint."""
    venue: str
    """Venue name as the feeds spell it."""
    venue_id: str
    """Canonical slug of the venue."""
    venue_canonical: str
    """Canonical display name of the venue."""
    venue_site: str
    """Slug shared by the tracks of one complex."""
    race_number: int
    """Number of the race in its meeting."""
    category: Category
    country: str | None
    """ISO 3166 country code; null while the meeting’s country is not confirmed."""
    start_time: Instant
    """Advertised start (UTC); it can move."""
    history_from: Instant | None
    """Start of the first race whose prices are archived (UTC); null until there is one."""
    points_returned: int
    """Number of `points` in this response."""
    truncated: bool
    """Whether `max_points` left out the earliest points."""
    runners: list[PriceHistoryRunner]
    """Runners with a captured price, by number. A number that passed to another runner is there for each."""


class HorseCandidate(TypedDict):
    runner_ref: str
    runner_name: str | None
    last_seen: Day | None
    source: Literal["acceptances", "results"]


class HorseProfile(TypedDict):
    age_sex: str | None
    """Age, colour and sex, as printed."""
    colours: str | None
    """Racing colours."""
    dam: str | None
    dob: Day | None
    """Date of birth."""
    last_gear_change: str | None
    """As printed."""
    sire: str | None
    trainer: str | None
    """Current trainer."""
    trainer_location: str | None


class PlacingRecord(TypedDict):
    starts: int
    wins: int
    seconds: int
    thirds: int


class CareerSplits(TypedDict):
    """Those that the page prints; `track`, `distance` and `track_distance` are those of the meeting of `runner_ref`."""

    first_up: NotRequired[PlacingRecord]
    second_up: NotRequired[PlacingRecord]
    track: NotRequired[PlacingRecord]
    distance: NotRequired[PlacingRecord]
    track_distance: NotRequired[PlacingRecord]
    firm: NotRequired[PlacingRecord]
    good: NotRequired[PlacingRecord]
    soft: NotRequired[PlacingRecord]
    heavy: NotRequired[PlacingRecord]
    synthetic: NotRequired[PlacingRecord]


class HorseCareer(TypedDict):
    """The registry’s own summary of the whole career; it is not added up from `runs`."""

    starts: int
    wins: int
    seconds: int
    thirds: int
    prizemoney: float | None
    """Dollars."""
    splits: CareerSplits


class PositionInRunning(TypedDict):
    at_m: int
    """Metres before the finish."""
    position: int


class Placegetter(TypedDict):
    name: str
    position: int
    runner_ref: str | None
    """Registry code of the horse at one meeting, `ra:…`."""
    weight_kg: float | None


class HorseFormRun(TypedDict):
    date: Day
    """Day of the run."""
    track: str
    """The registry’s code of the track; in an answer from our own results the venue."""
    race_number: int | None
    """Null if the page prints none."""
    trial: bool
    """A barrier trial: prizes and weights are 0, and there is no market."""
    position: int | None
    """Null for a runner without a place; `result_raw` has the reason."""
    field_size: int | None
    distance_m: int | None
    going: str | None
    """The going: Good, Soft, …; null if it cannot be parsed."""
    going_rating: int | None
    """From 1 to 12."""
    jockey: str | None
    jockey_code: str | None
    """The registry’s code of the jockey, as `ra_code` of `jockeys/stats`."""
    meet_code: str | None
    """The registry’s code of the meeting."""
    weight_kg: float | None
    """Carried."""
    barrier: int | None
    sp: float | None
    """Starting price: the last of `prices`. Null if there was no market."""
    prices: list[float]
    """The oldest quote first, the starting price last."""
    margin_l: float | None
    """Lengths behind the winner; on the horse’s own win, its winning margin."""
    pir: list[PositionInRunning]
    """Positions in running, at 800 m and 400 m where they were published."""
    placegetters: list[Placegetter]
    """The first three without the horse itself."""
    prize_total: float | None
    """Prize money of the race in dollars."""
    prize_won: float | None
    """Dollars."""
    race_class: str | None
    """As the registry writes it."""
    result_raw: str | None
    """The result as printed: `7th of 11`."""
    sectional_distance_m: int | None
    """Metres of the timed section."""
    sectional_time_s: float | None
    """Its time in seconds."""
    time_s: float | None
    """The race’s time in seconds."""
    trainer: str | None
    """Of that day, from our own results since 2026-09-01; null before."""


class HorseFormSource(TypedDict):
    feed: Literal["racing_australia", "puntersedge_results"]
    """`racing_australia`: the registry’s page. `puntersedge_results`: this service’s own results, while the registry
    cannot serve the page.
    """
    fetched_at: Instant | None
    """When the page was read; null without a page."""
    region: str
    """Always `AU`."""
    sport: str
    """Always `thoroughbred`."""
    stale: bool
    """The page was due to be read again, and could not be."""
    note: str | None
    """What is particular to this answer."""


class HorseForm(TypedDict):
    horse_name: str | None
    horse_ref: str | None
    """Stable reference of the name, `pe:` and the folded name."""
    runner_ref: str | None
    """The registry code that the page was read under; without a page the horse’s most recent one."""
    ambiguous: bool
    """Always false: a name is one horse."""
    candidates: list[HorseCandidate]
    """Always empty."""
    profile: HorseProfile | None
    career: HorseCareer | None
    """The registry’s own summary of the whole career; it is not added up from `runs`."""
    runs: list[HorseFormRun]
    """Newest first, trials included."""
    source: HorseFormSource


RunOrigin = Literal["results", "history", "tabtouch"]
"""`results`: from a result of this service. `history`: from the registry’s results of a meeting that this service
did not follow. `tabtouch` is reserved. The `result_id` of the last two (`hist:…`) joins to nothing.
"""


class HorseRun(TypedDict):
    date: Day
    """Meeting day (Australia/Sydney)."""
    start_time: Instant
    """Last advertised start (UTC)."""
    venue: str
    """Venue name as the feeds spell it."""
    race_number: int
    """Number of the race in its meeting."""
    distance_m: int | None
    """Distance in metres."""
    race_name: str | None
    track_condition: str | None
    """Track condition as published, e.g. `Good (4)`."""
    number: int
    """Saddlecloth or rug number."""
    box: int | None
    """Barrier, or a greyhound’s box."""
    position: int | None
    """Finishing position; null if it did not start or did not finish."""
    margin: str | None
    """Behind the winner, in lengths, as published."""
    sp: float | None
    """Official starting price; null if unknown, never 0."""
    dead_heat: bool
    """Whether it shares its position."""
    trainer: str | None
    """On that day."""
    field_size: int | None
    """Number of starters."""
    runner_ref: str | None
    """Registry id in that race: a horse’s changes with each meeting, a greyhound’s is permanent."""
    result_id: str
    """`race_id` of the result that the run is from; `hist:…`, which joins to nothing, if it is from elsewhere."""
    status: Literal["ran", "scratched"]
    abnormal: str | None
    """Why it has no position, as the registry’s results give it; `SB`: scratched at the barrier."""
    time_s: float | None
    """Seconds; of the winner only."""
    sp_note: str | None
    """`F`: favourite; `EF`: equal favourite."""
    jockey: str | None
    """On that day."""
    weight_kg: float | None
    """Allotted weight in kilograms."""
    carried_kg: float | None
    """Carried weight in kilograms; null where it was not published."""
    race_class: str | None
    race_time_s: float | None
    """The winner’s time in seconds."""
    last_600m_s: float | None
    """Seconds of the last 600 m; null where they were not published."""
    prize_total: int | None
    """Prize money of the race in dollars."""
    prize_won: float | None
    """Dollars, by the published prizes: a dead heat shares them, 0 outside the paid places. Null if unknown."""
    horse_ref: str
    """Stable reference of the name, `pe:` and the folded name."""
    origin: RunOrigin


class RunStats(TypedDict):
    """Over every stored run, whatever `limit` is."""

    starts: int
    """Runs with `status` `ran`; scratchings are not counted."""
    wins: int
    """A dead heat for first is a win."""
    places: int
    """Finishes from first to third."""
    win_pct: float | None
    """`wins` in percent of `starts`; null without a start."""
    place_pct: float | None
    """`places` in percent of `starts`; null without a start."""


class HorseRunsSource(TypedDict):
    feed: str
    """Always `puntersedge_results`: the run store of this service."""
    region: str
    """Always `AU`."""
    coverage_from: Instant | None
    """Start of the earliest stored run of this code (UTC); nothing before it is included."""
    coverage_to: Instant | None
    """Start of the latest stored run of this code (UTC)."""
    collectors: list[str]
    """The sources that published these runs."""
    refreshed_hourly: bool
    """New and changed results are stored within the hour."""
    sport: str
    """Always `thoroughbred`."""


class HorseRuns(TypedDict):
    horse: str
    """Name in its latest run."""
    name_key: str
    """The name folded to lowercase letters and digits: all runs under it are included."""
    horse_ref: str
    """Stable reference of the name, `pe:` and the folded name."""
    runner_refs: list[str]
    """Every registry code of these runs, newest first."""
    runs_total: int
    """Number of stored runs, whatever `limit` is; scratchings included."""
    runs: list[HorseRun]
    """Newest first."""
    stats: RunStats
    source: HorseRunsSource


class BackfillRequest(TypedDict):
    horses: list[str]
    """In any mix."""
    label: NotRequired[str | None]
    """What the job is for, in your words."""


class BackfillAmbiguity(TypedDict):
    input: str
    candidates: list[HorseCandidate]


class BackfillSubmission(TypedDict):
    job_id: str
    """Names the job."""
    label: str | None
    """As submitted."""
    queued: int
    """Horses whose page is read from the registry first."""
    already_stored: int
    """Horses with a fresh page: delivered at once, and charged like the others."""
    duplicates: int
    """Horses that the list names twice, or that are still queued in any job of the account. Not queued again."""
    not_found: list[str]
    """Inputs of horses that no feed has reported with a registry code. Free."""
    ambiguous: list[BackfillAmbiguity]
    """Always empty: a name is one horse."""
    estimated_ready: Instant | None
    """When the last queued horse is read, at the pace of the last 15 minutes (UTC). Null if nothing is queued, while
    credits are missing, and while the registry refuses reads.
    """


BackfillJobStatus = Literal["queued", "running", "blocked", "walled", "complete", "cancelled"]
"""`queued`: nothing is collected yet. `blocked`: too few credits. `walled`: the registry refuses reads. `complete`:
nothing is queued. `cancelled`: what was still queued was cancelled; delivered horses stay.
"""


class BackfillUpstream(TypedDict):
    """What stands between this service and the registry."""

    state: Literal["ok", "paused", "walled"]
    """`paused`: the registry requested a pause. `walled`: its bot protection refuses reads."""
    walled_since: Instant | None
    """Null if it is not walled."""
    walled_hours: float | None
    """Hours since then."""
    note: str | None
    """What it means for the job."""


class BackfillStatus(TypedDict):
    job_id: str
    """Names the job."""
    label: str | None
    """As submitted."""
    status: BackfillJobStatus
    submitted_at: Instant
    """When the job was submitted (UTC)."""
    total: int
    """Horses of the job, cancelled ones included."""
    done: int
    """Delivered."""
    queued: int
    """Not yet collected."""
    failed: int
    """Three reads within an hour brought no page. Free."""
    credits_charged: int
    """3 for each delivered horse."""
    credits_blocked: bool
    """Whether horses wait because the account has less than 3 credits. It goes on by itself on the 1st, after a
    top-up or an upgrade, and with overage.
    """
    queue_position: int | None
    """Registry reads before that of the job’s next horse, all accounts included. Null if nothing waits for a read,
    and while credits are missing.
    """
    estimated_ready: Instant | None
    """When the last queued horse is read, at the pace of the last 15 minutes (UTC). Null if nothing is queued, while
    credits are missing, and while the registry refuses reads.
    """
    ready_to_collect: int
    """Delivered horses that the results have: equal to `done`."""
    upstream: BackfillUpstream


class BackfillCancelled(TypedDict):
    job_id: str
    """Names the job."""
    cancelled: int
    """Horses that were still queued."""


class BackfillRow(TypedDict):
    input: str
    """As submitted."""
    runner_ref: str
    """The registry code that the page was read under."""
    horse_ref: str
    """Stable reference of the name, `pe:` and the folded name."""
    horse_name: str
    delivered_at: Instant | None
    """When it was delivered and charged (UTC); null if it has failed."""
    fetched_at: Instant | None
    """When the page was read (UTC)."""
    available: bool
    """False: the registry has no page of the horse. Free, and not counted in `done`."""
    form: HorseForm | None


class BackfillResults(TypedDict):
    job_id: str
    """Names the job."""
    rows_returned: int
    total_done: int
    """Delivered horses of the job."""
    limit: int
    offset: int
    rows: list[BackfillRow]
    """In the order in which they were delivered or have failed."""


class GreyhoundRun(TypedDict):
    date: Day
    """Meeting day (Australia/Sydney)."""
    start_time: Instant
    """Last advertised start (UTC)."""
    venue: str
    """Venue name as the feeds spell it."""
    race_number: int
    """Number of the race in its meeting."""
    distance_m: int | None
    """Distance in metres."""
    race_name: str | None
    track_condition: str | None
    """Track condition as published, e.g. `Good (4)`."""
    number: int
    """Saddlecloth or rug number."""
    box: int | None
    """Barrier, or a greyhound’s box."""
    position: int | None
    """Finishing position; null if it did not start or did not finish."""
    margin: str | None
    """Behind the winner, in lengths, as published."""
    sp: float | None
    """Official starting price; null if unknown, never 0."""
    dead_heat: bool
    """Whether it shares its position."""
    trainer: str | None
    """On that day."""
    field_size: int | None
    """Number of starters."""
    runner_ref: str | None
    """Registry id in that race: a horse’s changes with each meeting, a greyhound’s is permanent."""
    result_id: str
    """`race_id` of the result that the run is from; `hist:…`, which joins to nothing, if it is from elsewhere."""
    status: Literal["ran", "scratched", "reserve"]
    """`reserve`: it got no start."""
    time_s: float | None
    """Seconds."""
    first_split_s: float | None
    """Seconds to the first mark; null where it was not published."""
    second_split_s: float | None
    """Seconds to the second mark; null where it was not published."""
    weight_kg: float | None
    """Measured weight in kilograms; null where it was not published."""
    pir: str | None
    """Positions in running; null where they were not published."""
    grade: str | None
    """Grade of the race; null where it was not published."""
    win_time_s: float | None
    """The winner’s time in seconds."""
    source: str | None
    """The source that published the run."""
    origin: RunOrigin


class GreyhoundFormSource(TypedDict):
    feed: str
    """Always `puntersedge_results`: the run store of this service."""
    region: str
    """Always `AU`."""
    coverage_from: Instant | None
    """Start of the earliest stored run of this code (UTC); nothing before it is included."""
    coverage_to: Instant | None
    """Start of the latest stored run of this code (UTC)."""
    collectors: list[str]
    """The sources that published these runs."""
    refreshed_hourly: bool
    """New and changed results are stored within the hour."""
    sport: str
    """Always `greyhound`."""
    results_from: Instant | None
    """Start of the earliest run from this service’s own results (UTC)."""


class GreyhoundForm(TypedDict):
    dog: str
    """Name in its latest run."""
    name_key: str
    """The name folded to lowercase letters and digits."""
    runner_refs: list[str]
    """Every registry id of these runs, newest first."""
    runs_total: int
    """Number of stored runs, whatever `limit` is; scratchings included. A record since `coverage_from`, not a
    career.
    """
    runs: list[GreyhoundRun]
    """Newest first."""
    source: GreyhoundFormSource


GreyhoundDimension = Literal["track", "distance", "box", "grade"]


class DogCandidate(TypedDict):
    dog_id: int
    dog_name: str | None
    runs: int
    last_start: Day | None


class GreyhoundGroup(TypedDict):
    """What the runs are not grouped by is null, as is a value that was not published."""

    track: str | None
    """Venue, as spelled in the latest run there."""
    distance_m: int | None
    box: int | None
    grade: str | None
    starts: int
    """Runs with `status` `ran`; scratchings are not counted."""
    wins: int
    """A dead heat for first is a win."""
    places: int
    """Finishes from first to third."""
    win_pct: float | None
    """`wins` in percent of `starts`; null without a start."""
    place_pct: float | None
    """`places` in percent of `starts`; null without a start."""
    avg_time_s: float | None
    """Average of the published times in seconds."""
    best_time_s: float | None
    """Best published time in seconds."""
    avg_first_split: float | None
    """Average of the published first splits in seconds."""


class GreyhoundStatsSource(TypedDict):
    feed: str
    """Always `puntersedge_results`: the run store of this service."""
    region: str
    """Always `AU`."""
    coverage_from: Instant | None
    """Start of the earliest stored run of this code (UTC); nothing before it is included."""
    coverage_to: Instant | None
    """Start of the latest stored run of this code (UTC)."""
    collectors: list[str]
    """The sources that published these runs."""
    refreshed_hourly: bool
    """New and changed results are stored within the hour."""
    sport: str
    """Always `greyhound`."""


class GreyhoundStats(TypedDict):
    dog_id: int | None
    """The dog’s `grv:` id as a number; null if the runs have none or several."""
    dog_name: str
    """Name in its latest run."""
    ambiguous: bool
    """Always false: a name is the union of its runs."""
    candidates: list[DogCandidate]
    """Always empty."""
    group_by: list[GreyhoundDimension]
    groups: list[GreyhoundGroup]
    """Most starts first; every start is in one group."""
    source: GreyhoundStatsSource


ArchiveFormat = Literal["json", "csv", "parquet"]
"""CSV: RFC 4180 with a header, empty for null. Parquet: typed, UTC timestamps, ZSTD."""


class ClosingLine(TypedDict):
    race_id: str
    """Permanent id of the race."""
    start_time: Instant
    """Advertised start (UTC)."""
    meeting_date_aet: Day
    """Sydney day of the meeting."""
    venue: str
    """Venue as first reported."""
    race_number: int
    """Number on the card."""
    category: str
    """`horse`, `greyhound` or `harness`."""
    country: str | None
    """Two letters; null if unknown."""
    runner_key: str
    """Folded name: lowercase letters and digits."""
    runner_name: str
    """Name on the card; its key where the card does not have it."""
    runner_number: int
    """Saddlecloth or rug number."""
    bookmaker_key: str
    """Bookmaker."""
    open_win_price: float
    """Win price when the hour before the advertised start began; the first captured one if `open_is_baseline` is
    false.
    """
    open_secs_to_jump: int
    """Whole seconds from its capture to the jump."""
    close_win_price: float
    """Last win price up to the jump. A closing line only if `is_closing_line`."""
    close_lay_price: float | None
    """Always null."""
    close_secs_to_jump: int
    """Whole seconds from its last observation to the jump; 0: it stood at the jump."""
    points_observed: int
    """Win prices captured up to the jump."""
    venue_id: str
    """Canonical venue."""
    venue_site: str
    """Physical site of the venue."""
    runner_ref: str | None
    """The registry’s reference of the runner; null on harness rows."""
    horse_ref: str | None
    """Persistent identity of a thoroughbred."""
    finish_position: int | None
    """Null does not mean that the runner lost: it may be unknown."""
    result_status: str | None
    """`interim`, `final` or `abandoned`; null: the race has no result."""
    is_closing_line: bool
    """Whether the price was last observed within 300 s of the jump."""
    open_is_baseline: bool
    """Whether a price stood when the hour began. False: the book joined later."""
    venue_split_suspect: bool
    """Whether one race may have been stored as two."""
    name_fragment_suspect: bool
    """Whether the book’s name may be another runner’s."""
    scratched: bool
    """Whether the result has it scratched. False may mean unknown in harness and New Zealand."""
    open_place_price: float | None
    """Place price at the capture of `open_win_price`."""
    close_place_price: float | None
    """Place price at the last captured change of the win price."""
    scratched_at: Instant | None
    """When it was scratched (UTC)."""
    open_top2_price: float | None
    """Top 2 price at the capture of `open_win_price`."""
    open_top3_price: float | None
    """Top 3 price at the capture of `open_win_price`."""
    open_top4_price: float | None
    """Top 4 price at the capture of `open_win_price`."""
    close_top2_price: float | None
    """Top 2 price at the last captured change of the win price."""
    close_top3_price: float | None
    """Top 3 price at the last captured change of the win price."""
    close_top4_price: float | None
    """Top 4 price at the last captured change of the win price."""
    consensus_close_prob: float | None
    """Margin-free probability at the close, the same on every row of the runner."""
    consensus_close_price: float | None
    """The price of that probability."""
    books_in_consensus_close: int
    """Books that it rests on."""
    consensus_open_price: float | None
    """Margin-free price at the 60-minute open; null with fewer than two books."""
    books_in_consensus_open: int
    """Books that it rests on."""
    close_found_by: str
    """`poll`: a later poll still saw the price; `tick`: only its capture; `none`: not within 300 s."""
    close_age_s: int
    """Whole seconds from the capture of the closing price to the jump."""


class ClosingLines(TypedDict):
    rows_returned: int
    """Rows in this response."""
    total_rows: int
    """Rows of the selection, exact."""
    limit: int
    offset: int
    archive_from: Instant | None
    """Start of the first race with rows (UTC), whatever the selection; null: there is none."""
    window_days: int | None
    """Number of days back that your plan reads; the selection was cut to it. Null: all."""
    resulted_rows: int
    """Rows of the selection whose race has a result, exact."""
    rows: list[ClosingLine]
    """By start, race, runner number and bookmaker."""


class ArchivedCategory(TypedDict):
    category: Category
    rows: int
    """Rows, the flagged and scratched included."""
    races: int
    """Races with rows."""
    resulted_races: int
    """Of these, races that have a result."""


class RacesWithoutClose(TypedDict):
    """Races without a genuine closing line, by reason."""

    not_archived: int
    """Not archived yet: the next hour tries again."""
    abandoned: int
    """The race was abandoned."""
    no_prices: int
    """No book’s price was captured."""
    prices_after_jump: int
    """Prices were captured only after the jump."""
    last_seen_only: int
    """The last prices were seen more than 300 s before the jump."""


class ArchivedDay(TypedDict):
    day: Day
    """Sydney day of the starts."""
    races_run: int
    """Races that started and have left the board."""
    races_archived: int
    """Of these, races that the archive has, with or without rows."""
    races_closed: int
    """Archived races with at least one genuine closing line."""
    without_close: RacesWithoutClose


class ArchiveCoverage(TypedDict):
    archive_from: Instant | None
    """Start of the first race with rows (UTC); null: there is none."""
    archive_to: Instant | None
    """Start of the last race with rows (UTC)."""
    rows: int
    """Rows, the flagged and scratched included."""
    races: int
    """Races with rows."""
    bookmakers: int
    """Bookmakers with rows."""
    is_closing_line_pct: float | None
    """Genuine closing lines, in percent of `rows`; null if there are none."""
    open_is_baseline_pct: float | None
    """Rows that begin at the 60-minute window, in percent of `rows`."""
    resulted_races_pct: float | None
    """Races that have a result, in percent of `races`."""
    results_from: Instant | None
    """Start of the first race that has a result (UTC)."""
    settleable_races: int
    """Races with rows that were not abandoned, in countries whose results are published."""
    settleable_resulted_pct: float | None
    """Of these, races that have a result, in percent."""
    results_scope: str
    """Which races can have a result, as a sentence."""
    venue_split_suspect_rows: int
    name_fragment_suspect_rows: int
    by_category: list[ArchivedCategory]
    closing_rows: int
    """Genuine closing lines."""
    resulted_rows: int
    """Rows of races that have a result."""
    scratched_rows: int
    """Rows of runners that the result has as scratched."""
    days: list[ArchivedDay]
    """The last 14 Sydney days, the newest first; today is partial."""


class MarketSummary(TypedDict):
    race_id: str
    """Permanent id of the race."""
    runner_key: str
    """Folded name: lowercase letters and digits."""
    venue: str
    """Venue as first reported."""
    race_number: int
    """Number on the card."""
    category: str
    """`horse`, `greyhound` or `harness`."""
    country: str | None
    """Two letters; null if unknown."""
    start_time: Instant
    """Advertised start (UTC)."""
    meeting_date_aet: Day
    """Sydney day of the meeting."""
    runner_name: str
    """Name on the card; its key where the card does not have it."""
    runner_number: int
    """Saddlecloth or rug number."""
    runner_ref: str | None
    """The registry’s reference of the runner; null on harness rows."""
    consensus_t60: float | None
    """Consensus price 60 minutes before the advertised start; null if there was none."""
    consensus_t30: float | None
    """Consensus price 30 minutes before the advertised start; null if there was none."""
    consensus_t15: float | None
    """Consensus price 15 minutes before the advertised start; null if there was none."""
    consensus_t10: float | None
    """Consensus price 10 minutes before the advertised start; null if there was none."""
    consensus_t5: float | None
    """Consensus price 5 minutes before the advertised start; null if there was none."""
    consensus_t2: float | None
    """Consensus price 2 minutes before the advertised start; null if there was none."""
    consensus_close: float | None
    """Consensus price at the close."""
    close_source: str | None
    """`archive`: the consensus of closing lines; `ticks`: the prices that stood at the jump."""
    books_t60: int | None
    """Books in `consensus_t60`."""
    books_t15: int | None
    """Books in `consensus_t15`."""
    books_close: int
    """Books in `consensus_close`."""
    consensus_high: float | None
    """Longest consensus price of the window."""
    consensus_high_at: Instant | None
    """When it was reached (UTC)."""
    consensus_low: float | None
    """Shortest consensus price of the window."""
    consensus_low_at: Instant | None
    """When it was reached (UTC)."""
    move_from_t60_pct: float | None
    """`consensus_close` against `consensus_t60`, in percent; negative: it shortened."""
    move_from_t15_pct: float | None
    """The same against `consensus_t15`."""
    move_t5_close_pct: float | None
    """The same against `consensus_t5`."""
    ticks_total: int
    """Win prices captured up to the jump."""
    ticks_last_5m: int
    """Of these, in the last five minutes."""
    books_with_history: int
    """Books with two or more captured prices."""
    books_firming: int
    """Of these, those that shortened."""
    books_drifting: int
    """Those that lengthened."""
    books_unchanged: int
    """Those that ended where they began."""
    first_mover_bookmaker: str | None
    """The book that moved first; null if none is attributed."""
    first_mover_at: Instant | None
    """When it had moved (UTC)."""
    first_mover_lead_s: float | None
    """Its lead over the second book, in seconds."""
    follower_median_lag_s: float | None
    """Median lag of the books that followed, in seconds."""
    signal: str
    """What the market did, as in `intelligence`: `strong_firm`, `firm`, `steady`, `drift`, `strong_drift`,
    `insufficient`.
    """
    best_close_price: float | None
    """Longest genuine close of a compared book."""
    best_close_bookmaker: str | None
    """The book that had it."""
    best_vs_consensus_pct: float | None
    """It against `consensus_close`, in percent."""
    venue_id: str
    """Canonical venue."""
    venue_site: str
    """Physical site of the venue."""
    horse_ref: str | None
    """Persistent identity of a thoroughbred."""
    finish_position: int | None
    """Null does not mean that the runner lost: it may be unknown."""
    result_status: str | None
    """`interim`, `final` or `abandoned`; null: the race has no result."""


class MarketSummaries(TypedDict):
    rows_returned: int
    """Rows in this response."""
    total_rows: int
    """Rows of the selection, exact."""
    limit: int
    offset: int
    summary_from: Instant | None
    """Start of the first race with rows (UTC), whatever the selection; null: there is none."""
    window_days: int | None
    """Number of days back that your plan reads; the selection was cut to it. Null: all."""
    rows: list[MarketSummary]
    """By start, race and runner number."""


PathFormat = Literal["json", "csv", "parquet"]
"""CSV: RFC 4180 with a header, empty for null. Parquet: typed, UTC timestamps, ZSTD."""


class PricePath(TypedDict):
    race_id: str
    """Permanent id of the race."""
    start_time: Instant
    """Advertised start (UTC)."""
    meeting_date_aet: Day
    """Sydney day of the meeting."""
    venue: str
    """Venue as first reported."""
    race_number: int
    """Number on the card."""
    category: str
    """`horse`, `greyhound` or `harness`."""
    country: str | None
    """Two letters; null if unknown."""
    runner_key: str
    """Folded name: lowercase letters and digits."""
    runner_name: str
    """Name on the card; its key where the card does not have it."""
    runner_number: int
    """Saddlecloth or rug number."""
    bookmaker_key: str
    """Bookmaker."""
    captured_at: Instant
    """When the price was captured (UTC). It stood until the next row of the series."""
    secs_to_jump: int
    """Whole seconds to the jump. Negative: seen late, after the jump; it counts in no close and no consensus."""
    win_price: float
    """Win price."""
    lay_price: float | None
    """Always null."""
    venue_id: str
    """Canonical venue."""
    venue_site: str
    """Physical site of the venue."""
    runner_ref: str | None
    """The registry’s reference of the runner; null on harness rows."""
    horse_ref: str | None
    """Persistent identity of a thoroughbred."""
    scratched: bool
    """Whether the result has it scratched. False may mean unknown in harness and New Zealand."""
    place_price: float | None
    """Place price at this change of the win price."""
    top2_price: float | None
    """Top 2 price at this change of the win price."""
    top3_price: float | None
    """Top 3 price at this change of the win price."""
    top4_price: float | None
    """Top 4 price at this change of the win price."""


class PricePaths(TypedDict):
    rows_returned: int
    """Rows in this response."""
    total_points: int
    """Rows of the selection, exact."""
    limit: int
    offset: int
    archive_from: Instant | None
    """Start of the first race with rows (UTC), whatever the selection; null: there is none."""
    rows: list[PricePath]
    """By start, race, runner number, bookmaker and instant."""


BulkDatasetName = Literal["closing_lines", "price_paths", "results", "acceptances", "track_conditions", "markets", "exotic_dividends", "market_summary"]
"""Name of a dataset."""


class BulkColumn(TypedDict):
    name: str
    type: Literal["text", "integer", "long", "number", "boolean", "instant", "day"]
    """`instant` is ISO 8601 UTC in CSV and a UTC timestamp in Parquet; `day` is `YYYY-MM-DD` and a date; `number` is
    a double; `integer` has 32 bits, `long` 64.
    """
    nullable: bool
    """Whether a row may have null."""
    description: str


class BulkDataset(TypedDict):
    dataset: BulkDatasetName
    description: str
    """What a row is."""
    available_from: Day
    """The first Sydney day that has a file, where races of that day are stored."""
    sorted_by: list[str]
    """The columns that the rows are sorted by."""
    columns: list[BulkColumn]
    """In order. New columns are appended."""


BulkFormat = Literal["parquet", "csv"]
"""`parquet`: typed columns, UTC timestamps, ZSTD. `csv`: RFC 4180 in gzip, empty for null."""


class BulkFile(TypedDict):
    format: BulkFormat
    bytes: int
    """Size of the file."""
    sha256: str
    """SHA-256 of its bytes, in hexadecimal. The `ETag` is the same in quotes."""
    url: str
    """Where to fetch it, with your key."""


class BulkPeriod(TypedDict):
    dataset: BulkDatasetName
    period: str
    """A Sydney day (`2026-11-20`) or a calendar month (`2026-11`)."""
    version: int
    """Grows when the files are built again."""
    rows: int
    """Rows of the file."""
    generated_at: Instant
    """When this version was built (UTC)."""
    files: list[BulkFile]


class BulkDatasets(TypedDict):
    datasets: list[BulkDataset]
    rows_returned: int
    """Periods in this response."""
    total_rows: int
    """Periods of the selection."""
    limit: int
    offset: int
    rows: list[BulkPeriod]
    """Periods with files, the newest first."""


class BulkSortKey(TypedDict):
    columns: list[str]
    """The columns that the rows are sorted by."""
    first: list[str | None] | None
    """The lowest key, in the order of `columns`, each cell as CSV writes it. Null: there are no rows."""
    last: list[str | None] | None
    """The highest key."""


class BulkTimes(TypedDict):
    column: str
    min: str | None
    """The earliest value, as CSV writes it. Null: there is none."""
    max: str | None
    """The latest value."""


class BulkManifestFile(TypedDict):
    format: BulkFormat
    bytes: int
    """Size of the file."""
    sha256: str
    """SHA-256 of its bytes, in hexadecimal."""


class BulkManifest(TypedDict):
    """What is signed."""

    dataset: BulkDatasetName
    period: str
    """A Sydney day (`2026-11-20`) or a calendar month (`2026-11`)."""
    version: int
    """Grows when the files are built again."""
    schema_version: str
    """Equal as long as the columns of the dataset are."""
    rows: int
    """Rows of each file."""
    generated_at: Instant
    """When this version was built (UTC)."""
    sort_key: BulkSortKey
    times: list[BulkTimes]
    """The bounds of each column of instants or days."""
    files: list[BulkManifestFile]
    """One per format, by name of the format."""


class BulkSignature(TypedDict):
    algorithm: Literal["ed25519"]
    """Ed25519 (RFC 8032)."""
    key_id: str
    """`kid` of the key in `GET /v1/bulk/keys`."""
    value: str
    """The signature in base64."""


class BulkSource(TypedDict):
    format: BulkFormat
    url: str
    """Where to fetch this version of the file, with your key."""


class BulkSignedManifest(TypedDict):
    manifest: BulkManifest
    signature: BulkSignature
    sources: list[BulkSource]
    """Not signed: their bytes are what `manifest.files` states."""


class BulkKey(TypedDict):
    kty: Literal["OKP"]
    crv: Literal["Ed25519"]
    use: Literal["sig"]
    alg: Literal["EdDSA"]
    kid: str
    """Id of the key, as in `signature.key_id`."""
    x: str
    """The public key in base64url."""


class BulkKeys(TypedDict):
    keys: list[BulkKey]
    """The key that signs new manifests is the first."""


SportKey = Literal["afl", "aflw", "nrl", "nrlw", "super_league", "nba", "wnba", "basketball_other", "nfl", "ncaaf", "mlb", "nhl", "mma", "tennis_atp", "tennis_wta", "cricket_test", "cricket_other", "rugby_union", "soccer_epl", "soccer_other"]
"""Key of a sport, as `GET /v1/sports` lists it. Keys may be added later."""


SportQualityStatus = Literal["ok", "warn", "stale"]
"""`stale`: older than `stale_after_seconds`; `warn`: another issue; `ok`: none. Of several books: `ok` or `stale` if
every book is, otherwise `warn`.
"""


class SportDataQuality(TypedDict):
    score: int
    """100, less 50 if stale and 25 for every other issue, 0 at least. Of several books their mean."""
    status: SportQualityStatus
    source_count: int
    """Rows of books that were joined: of one match one for each book."""
    bookmaker_count: int
    """Different books."""


class Sport(TypedDict):
    key: SportKey
    title: str
    group: str
    """Such as `Basketball`."""
    active: bool
    """Whether a match that has not started has a price that was confirmed within 6 hours."""
    cached: bool
    """Whether these rows were read for an earlier request."""
    cache_age_seconds: int
    """Seconds since they were read; 0 if they were read for this request."""
    data_quality: SportDataQuality | None


OfferedSportMarket = Literal["h2h", "spreads", "totals", "alternate_spreads", "alternate_totals"]
"""A market, or the other lines of one (`alternate_spreads`, `alternate_totals`): every line that the book offers
beside its main one.
"""


OddsFormat = Literal["decimal", "american"]
"""`decimal`: the return on 1 staked. `american`: the win on 100, or, negative, the stake that wins 100."""


class SportQuality(TypedDict):
    score: int
    """100, less 50 if stale and 25 for every other issue, 0 at least. Of several books their mean."""
    status: SportQualityStatus
    age_seconds: int
    """Seconds since the book last confirmed these prices."""
    issues: list[Literal["stale", "incomplete", "other_outcomes", "under_round"]]
    source_count: int
    """Books that quote the same market of the match; of a book, books that quote the match."""
    stale_after_seconds: int
    """Age from which prices are stale."""


class SportOutcome(TypedDict):
    name: str
    """The team as this book spells it, `Draw`, `Over` or `Under`."""
    price: float
    """In the `odds_format` of the match."""
    point: NotRequired[float]
    """The handicap of the side, or the total. Not in `h2h`."""


class SportMarketOdds(TypedDict):
    key: OfferedSportMarket
    quality: SportQuality
    outcomes: list[SportOutcome]
    """Home, away, draw; of totals over, under; of alternates those of each line, by the point of the home side. A
    side without a price is left out.
    """


class SportBookOdds(TypedDict):
    key: str
    """Bookmaker key."""
    title: str
    """The bookmaker’s name."""
    last_update: Instant
    """When the book last confirmed the price (UTC)."""
    age_seconds: int
    """Seconds since `last_update`."""
    stale: bool
    """Whether that is more than 1800 s."""
    quality: SportQuality
    markets: list[SportMarketOdds]


class SportEvent(TypedDict):
    id: str
    """Id of the match, the same at every book; it stays the same when a bookmaker that sends its own ids postpones
    it.
    """
    canonical_event_id: str
    """`sport:home:away:YYYY-MM-DD`: readable, and the same for ever. The day is that of the first listed start, in
    Sydney.
    """
    sport_title: str
    sport_key: SportKey
    home_team: str
    """The home side, as the table of teams or the first book spells it."""
    away_team: str
    """The away side, as the table of teams or the first book spells it."""
    commence_time: Instant
    """The start that most books list (UTC); it moves when the match is postponed."""
    competition: str | None
    """As the first book that named one spells it; null if none does."""
    bookmakers: list[SportBookOdds]
    """By key."""
    odds_format: OddsFormat
    fetched_at: Instant
    """When the most recent of these books confirmed its prices (UTC)."""
    data_age_seconds: int
    """Seconds since the least recent of these books confirmed its prices."""
    freshest_age_seconds: int
    """Seconds since the most recent of these books confirmed its prices."""
    stale: bool
    """Whether the least recent is past 1800 s."""
    stale_bookmakers: list[str]
    """Books past 1800 s."""
    cached: bool
    """Whether these rows were read for an earlier request."""
    cache_age_seconds: int
    """Seconds since they were read; 0 if they were read for this request."""
    data_quality: SportDataQuality


SportMarket = Literal["h2h", "spreads", "totals"]
"""Head to head (`h2h`), handicap line (`spreads`) or total points (`totals`)."""


class SportSnapshot(TypedDict):
    recorded_at: Instant
    """When the book offered this first (UTC)."""
    bookmaker: str
    """Bookmaker key."""
    home_price: float | None
    """Decimal odds of the home side; of totals of Over. Null: not offered."""
    draw_price: float | None
    """Null where the book has no draw."""
    away_price: float | None
    """Decimal odds of the away side; of totals of Under. Null: not offered."""
    home_point: float | None
    """The handicap of the home side, or the total; null in `h2h`."""
    away_point: float | None
    """The handicap of the away side, or the total; null in `h2h`."""


class MatchHistory(TypedDict):
    event_id: str
    """Id of the match, the same at every book; it stays the same when a bookmaker that sends its own ids postpones
    it.
    """
    sport_key: SportKey
    home_team: str
    """The home side, as the table of teams or the first book spells it."""
    away_team: str
    """The away side, as the table of teams or the first book spells it."""
    commence_time: Instant
    """The start that most books list (UTC); it moves when the match is postponed."""
    snapshots: list[SportSnapshot]
    """Every change within the span, newest first. A market that the book took back has null prices from then on; it
    stands until the next snapshot of the same book.
    """
    truncated: bool
    """Whether the match has more than 2000 snapshots in the span, of which these are the newest. For the others send
    fewer `bookmakers`, or the oldest `recorded_at` as `to`, from `offset` 0 on: the rows of that instant come
    again.
    """


SportChange = TypedDict(
    "SportChange",
    {
        "from": "float",
        "to": "float",
        "delta": "float",
    },
)
"""delta: `to` less `from`."""


class SportChanges(TypedDict):
    """Only what changed."""

    home_price: NotRequired[SportChange]
    draw_price: NotRequired[SportChange]
    away_price: NotRequired[SportChange]
    home_point: NotRequired[SportChange]
    away_point: NotRequired[SportChange]


class SportMovement(TypedDict):
    event_id: str
    """Id of the match, the same at every book; it stays the same when a bookmaker that sends its own ids postpones
    it.
    """
    sport_key: SportKey
    home_team: str
    """The home side, as the table of teams or the first book spells it."""
    away_team: str
    """The away side, as the table of teams or the first book spells it."""
    commence_time: Instant
    """The start that most books list (UTC); it moves when the match is postponed."""
    bookmaker: str
    """Bookmaker key."""
    market_type: SportMarket
    from_recorded_at: Instant
    """When the book offered the earlier prices first (UTC)."""
    to_recorded_at: Instant
    """When it changed them (UTC)."""
    home_point: float | None
    """The handicap of the home side, or the total; null in `h2h`."""
    away_point: float | None
    """The handicap of the away side, or the total; null in `h2h`."""
    changes: SportChanges


class SportClosingPrice(TypedDict):
    home_price: float | None
    """Decimal odds of the home side; of totals of Over. Null: not offered."""
    draw_price: float | None
    """Null where the book has no draw."""
    away_price: float | None
    """Decimal odds of the away side; of totals of Under. Null: not offered."""
    home_point: float | None
    """The handicap of the home side, or the total; null in `h2h`."""
    away_point: float | None
    """The handicap of the away side, or the total; null in `h2h`."""
    recorded_at: Instant
    """When the book offered this first (UTC)."""
    last_seen_at: Instant
    """When the book last listed it before the start (UTC)."""
    secs_to_start: int
    """Seconds from then to the start."""
    is_closing: bool
    """Whether that is at most 1800 s. Only such prices count in the consensus."""


class SportClosingBook(TypedDict):
    key: str
    """Bookmaker key."""
    h2h: SportClosingPrice | None
    spreads: SportClosingPrice | None
    totals: SportClosingPrice | None


class SportConsensusPrice(TypedDict):
    home_price: float | None
    """Decimal odds of the home side; of totals of Over. Null: not offered."""
    draw_price: float | None
    """Null where the book has no draw."""
    away_price: float | None
    """Decimal odds of the away side; of totals of Under. Null: not offered."""
    home_point: float | None
    """The handicap of the home side, or the total; null in `h2h`."""
    away_point: float | None
    """The handicap of the away side, or the total; null in `h2h`."""
    books: int
    """Books whose closing prices it is the median of."""


class SportConsensus(TypedDict):
    """Of `h2h` the median closing price of each side, over books with the same outcomes. Of the others the line that
    most books closed at (of equals the one nearest to the median line) and the median prices of these books.
    Null: no book closed with both sides.
    """

    h2h: SportConsensusPrice | None
    spreads: SportConsensusPrice | None
    totals: SportConsensusPrice | None


class SportClosing(TypedDict):
    event_id: str
    """Id of the match, the same at every book; it stays the same when a bookmaker that sends its own ids postpones
    it.
    """
    canonical_event_id: str
    """`sport:home:away:YYYY-MM-DD`: readable, and the same for ever. The day is that of the first listed start, in
    Sydney.
    """
    sport_key: SportKey
    home_team: str
    """The home side, as the table of teams or the first book spells it."""
    away_team: str
    """The away side, as the table of teams or the first book spells it."""
    commence_time: Instant
    """The start that most books list (UTC); it moves when the match is postponed."""
    competition: str | None
    bookmakers: list[SportClosingBook]
    """By key; null: the book never priced the market."""
    consensus: SportConsensus


SuspectReason = Literal["under_round", "sides_exchanged", "sign_turned", "far_from_others", "far_from_own_history", "far_from_own_line", "implausible_profit"]
"""Of a price why it is suspect; of a pair or a match why fresh prices that would be an arb or a middle are none,
because one of them is suspect. `under_round`: the book’s own prices add up to less than 100 %. `sides_exchanged`,
`sign_turned`: the market contradicts other fresh books, and would not with its sides exchanged or its handicap
turned. `far_from_others`: more of the other fresh books contradict it than support it, that is, without their
margins they give an outcome a chance that differs by 10 points, or odds 3 times as long and 2 points.
`far_from_own_history`: the same, or there is no other book, and the book jumped there within 30 minutes.
`far_from_own_line`: an alternate that contradicts the book’s main line. `implausible_profit`: with others it
returns more than 5 %, with four fresh books or more 10 %.
"""


class SportBookPrice(TypedDict):
    bookmaker: str
    """Bookmaker key."""
    price: float
    """Decimal odds."""
    suspect: bool
    """Whether the price is probably wrong. It is best only if there is no other, and never part of an arb or a
    middle.
    """
    suspect_reason: SuspectReason | None
    """Of a price why it is suspect; of a pair or a match why fresh prices that would be an arb or a middle are none,
    because one of them is suspect. `under_round`: the book’s own prices add up to less than 100 %.
    `sides_exchanged`, `sign_turned`: the market contradicts other fresh books, and would not with its sides
    exchanged or its handicap turned. `far_from_others`: more of the other fresh books contradict it than support
    it, that is, without their margins they give an outcome a chance that differs by 10 points, or odds 3 times as
    long and 2 points. `far_from_own_history`: the same, or there is no other book, and the book jumped there
    within 30 minutes. `far_from_own_line`: an alternate that contradicts the book’s main line.
    `implausible_profit`: with others it returns more than 5 %, with four fresh books or more 10 %.
    """
    last_update: Instant
    """When the book last confirmed the price (UTC)."""
    age_seconds: int
    """Seconds since `last_update`."""
    stale: bool
    """Whether that is more than 1800 s."""


class BestSelection(TypedDict):
    name: str
    """The team, or `Draw`."""
    best_price: float
    """Decimal odds."""
    best_bookmaker: str
    """Bookmaker key."""
    all_prices: list[SportBookPrice]
    """Best first, suspect ones last."""


class ArbConfidenceLeg(TypedDict):
    bookmaker: str
    """Bookmaker key."""
    age_seconds: int
    """Seconds since the book last confirmed the price."""
    distance: float
    """Between the chance that the book gives the outcome and the median of the other books, 0 to 1, without margins."""
    moved_share: float
    """Of the prices that the book offered in this sport in the last 7 days, the share that moved or vanished within
    ten minutes, counted with 1 of 10 more.
    """


class ArbConfidence(TypedDict):
    books: int
    """Books whose prices of the market are fresh and not suspect."""
    legs: list[ArbConfidenceLeg]


class BestOddsMatch(TypedDict):
    id: str
    """Id of the match, the same at every book; it stays the same when a bookmaker that sends its own ids postpones
    it.
    """
    sport_key: SportKey
    home_team: str
    """The home side, as the table of teams or the first book spells it."""
    away_team: str
    """The away side, as the table of teams or the first book spells it."""
    commence_time: Instant
    """The start that most books list (UTC); it moves when the match is postponed."""
    selections: list[BestSelection]
    arb_exists: bool
    """Whether fresh prices of every outcome return more than they cost, whichever wins."""
    arb_profit_pct: float
    """What they return beyond the stakes, in percent, rounded down; 0 if there is no arb."""
    suspect_reason: SuspectReason | None
    """Of a price why it is suspect; of a pair or a match why fresh prices that would be an arb or a middle are none,
    because one of them is suspect. `under_round`: the book’s own prices add up to less than 100 %.
    `sides_exchanged`, `sign_turned`: the market contradicts other fresh books, and would not with its sides
    exchanged or its handicap turned. `far_from_others`: more of the other fresh books contradict it than support
    it, that is, without their margins they give an outcome a chance that differs by 10 points, or odds 3 times as
    long and 2 points. `far_from_own_history`: the same, or there is no other book, and the book jumped there
    within 30 minutes. `far_from_own_line`: an alternate that contradicts the book’s main line.
    `implausible_profit`: with others it returns more than 5 %, with four fresh books or more 10 %.
    """
    confidence: float | None
    """How far it may be trusted, 0 to 1: the product of `1 - 0.5^(books - 1)`, `1 - age_seconds / 3600`, `1 -
    distance / 0.2` and `1 - moved_share`, each of the worst leg. Null: there is none.
    """
    confidence_parts: ArbConfidence | None
    data_age_seconds: int
    """Seconds since the least recent of these books confirmed its prices."""
    freshest_age_seconds: int
    """Seconds since the most recent of these books confirmed its prices."""
    stale: bool
    """Whether the least recent is past 1800 s."""
    stale_bookmakers: list[str]
    """Books past 1800 s."""


class ComparedSelection(TypedDict):
    name: str
    """The team, or `Draw`."""
    best_price: float
    """Decimal odds."""
    best_bookmaker: str
    """Bookmaker key."""
    all_prices: list[SportBookPrice]
    """Best first, suspect ones last."""
    worst_price: float
    """The lowest, without suspect ones if there are others."""
    avg_price: float
    """Mean of all prices, without suspect ones if there are others."""
    price_spread: float
    """The best price less the worst."""
    overlay_pct: float
    """How far the best price is above the mean, in percent."""


class BestPricesMatch(TypedDict):
    id: str
    """Id of the match, the same at every book; it stays the same when a bookmaker that sends its own ids postpones
    it.
    """
    sport_key: SportKey
    home_team: str
    """The home side, as the table of teams or the first book spells it."""
    away_team: str
    """The away side, as the table of teams or the first book spells it."""
    commence_time: Instant
    """The start that most books list (UTC); it moves when the match is postponed."""
    selections: list[ComparedSelection]
    data_age_seconds: int
    """Seconds since the least recent of these books confirmed its prices."""
    freshest_age_seconds: int
    """Seconds since the most recent of these books confirmed its prices."""
    stale: bool
    """Whether the least recent is past 1800 s."""
    stale_bookmakers: list[str]
    """Books past 1800 s."""


LineMarket = Literal["spreads", "totals"]


class LineSide(TypedDict):
    name: str
    """The team, `Over` or `Under`."""
    point: float
    """The handicap of the side, or the total."""
    price: float
    """Decimal odds."""
    suspect: bool
    """Whether the price is probably wrong. It is best only if there is no other, and never part of an arb or a
    middle.
    """
    suspect_reason: SuspectReason | None
    """Of a price why it is suspect; of a pair or a match why fresh prices that would be an arb or a middle are none,
    because one of them is suspect. `under_round`: the book’s own prices add up to less than 100 %.
    `sides_exchanged`, `sign_turned`: the market contradicts other fresh books, and would not with its sides
    exchanged or its handicap turned. `far_from_others`: more of the other fresh books contradict it than support
    it, that is, without their margins they give an outcome a chance that differs by 10 points, or odds 3 times as
    long and 2 points. `far_from_own_history`: the same, or there is no other book, and the book jumped there
    within 30 minutes. `far_from_own_line`: an alternate that contradicts the book’s main line.
    `implausible_profit`: with others it returns more than 5 %, with four fresh books or more 10 %.
    """
    bookmaker: str
    """Bookmaker key."""
    last_update: Instant
    """When the book last confirmed the price (UTC)."""
    age_seconds: int
    """Seconds since `last_update`."""
    stale: bool
    """Whether that is more than 1800 s."""


class LineStake(TypedDict):
    name: str
    point: float
    bookmaker: str
    """Bookmaker key."""
    stake: float
    """Share of all stakes, in percent: together 100."""
    profit_if_wins: float
    """What is won beyond stakes of 100 if this side alone wins."""


class LineOpportunity(TypedDict):
    side_a: LineSide
    side_b: LineSide
    is_arb: bool
    """Whether both sides together return more than they cost. If a result equals a line, its stake comes back."""
    is_middle: bool
    """Whether a whole result wins both sides, at fresh prices."""
    arb_pct: float
    """What they return beyond the stakes, in percent, rounded down; 0 if the pair is not an arb."""
    suspect_reason: SuspectReason | None
    """Of a price why it is suspect; of a pair or a match why fresh prices that would be an arb or a middle are none,
    because one of them is suspect. `under_round`: the book’s own prices add up to less than 100 %.
    `sides_exchanged`, `sign_turned`: the market contradicts other fresh books, and would not with its sides
    exchanged or its handicap turned. `far_from_others`: more of the other fresh books contradict it than support
    it, that is, without their margins they give an outcome a chance that differs by 10 points, or odds 3 times as
    long and 2 points. `far_from_own_history`: the same, or there is no other book, and the book jumped there
    within 30 minutes. `far_from_own_line`: an alternate that contradicts the book’s main line.
    `implausible_profit`: with others it returns more than 5 %, with four fresh books or more 10 %.
    """
    confidence: float | None
    """How far it may be trusted, 0 to 1: the product of `1 - 0.5^(books - 1)`, `1 - age_seconds / 3600`, `1 -
    distance / 0.2` and `1 - moved_share`, each of the worst leg. Null: there is none.
    """
    confidence_parts: ArbConfidence | None
    optimal_stakes: list[LineStake]
    """One for each side; empty if the pair is not an arb."""


class LinesArb(TypedDict):
    event_id: str
    """Id of the match, the same at every book; it stays the same when a bookmaker that sends its own ids postpones
    it.
    """
    sport_key: SportKey
    home_team: str
    """The home side, as the table of teams or the first book spells it."""
    away_team: str
    """The away side, as the table of teams or the first book spells it."""
    commence_time: Instant
    """The start that most books list (UTC); it moves when the match is postponed."""
    market_type: LineMarket
    opportunities: list[LineOpportunity]
    data_age_seconds: int
    """Seconds since the least recent of these books confirmed its prices."""
    freshest_age_seconds: int
    """Seconds since the most recent of these books confirmed its prices."""
    stale: bool
    """Whether the least recent is past 1800 s."""
    stale_bookmakers: list[str]
    """Books past 1800 s."""


class ArbStake(TypedDict):
    name: str
    bookmaker: str
    """Bookmaker key."""
    price: float
    """Decimal odds."""
    stake: float
    """Share of all stakes, in percent: together 100."""
    profit_if_wins: float
    """What is won beyond stakes of 100 if this outcome wins."""


class ArbSelection(TypedDict):
    name: str
    """The team, or `Draw`."""
    best_price: float
    """Decimal odds."""
    best_bookmaker: str
    """Bookmaker key."""
    all_prices: list[SportBookPrice]
    """Best first, suspect ones last."""
    avg_price: float
    """Mean of all prices, without suspect ones if there are others."""
    overlay_pct: float
    """How far the best price is above the mean, in percent."""


class SportsArb(TypedDict):
    event_id: str
    """Id of the match, the same at every book; it stays the same when a bookmaker that sends its own ids postpones
    it.
    """
    sport_key: SportKey
    home_team: str
    """The home side, as the table of teams or the first book spells it."""
    away_team: str
    """The away side, as the table of teams or the first book spells it."""
    commence_time: Instant
    """The start that most books list (UTC); it moves when the match is postponed."""
    is_arb: bool
    """Whether fresh prices of every outcome return more than they cost. Do not recompute it from `selections`, whose
    prices may be stale.
    """
    arb_pct: float
    """What they return beyond the stakes, in percent, rounded down; 0 if there is no arb."""
    suspect_reason: SuspectReason | None
    """Of a price why it is suspect; of a pair or a match why fresh prices that would be an arb or a middle are none,
    because one of them is suspect. `under_round`: the book’s own prices add up to less than 100 %.
    `sides_exchanged`, `sign_turned`: the market contradicts other fresh books, and would not with its sides
    exchanged or its handicap turned. `far_from_others`: more of the other fresh books contradict it than support
    it, that is, without their margins they give an outcome a chance that differs by 10 points, or odds 3 times as
    long and 2 points. `far_from_own_history`: the same, or there is no other book, and the book jumped there
    within 30 minutes. `far_from_own_line`: an alternate that contradicts the book’s main line.
    `implausible_profit`: with others it returns more than 5 %, with four fresh books or more 10 %.
    """
    confidence: float | None
    """How far it may be trusted, 0 to 1: the product of `1 - 0.5^(books - 1)`, `1 - age_seconds / 3600`, `1 -
    distance / 0.2` and `1 - moved_share`, each of the worst leg. Null: there is none.
    """
    confidence_parts: ArbConfidence | None
    optimal_stakes: list[ArbStake]
    """One for each outcome; empty if there is no arb."""
    max_overlay_pct: float
    """The highest `overlay_pct` of the selections."""
    selections: list[ArbSelection]
    data_age_seconds: int
    """Seconds since the least recent of these books confirmed its prices."""
    freshest_age_seconds: int
    """Seconds since the most recent of these books confirmed its prices."""
    stale: bool
    """Whether the least recent is past 1800 s."""
    stale_bookmakers: list[str]
    """Books past 1800 s."""


class ConnectorBreaker(TypedDict):
    """Circuit breaker: stops calls to a source that fails."""

    state: Literal["closed", "half_open", "open"]
    """The worst state of any worker."""
    since: Instant
    """When this state began (UTC)."""
    workers: int
    """Number of workers that report."""
    workers_open: int
    """Number of workers that currently send no calls to this source."""
    refused: int
    """Calls that the breaker blocked since the workers started."""


class ConnectorBudget(TypedDict):
    """Rate budget: how many calls may be sent to the source."""

    per_second: float
    """Calls per second that all workers together may send."""
    source: Literal["shared", "own_share"]
    """`shared`: the workers share one budget. `own_share`: a worker cannot reach the shared budget and keeps to its
    own part of it.
    """
    refused: int
    """Calls that the budget blocked since the workers started."""


class QuoteAges(TypedDict):
    """Ages of the book’s quotes on the races that are live now; null if it prices none."""

    live_races: int
    """Number of live races that the book currently prices."""
    p50_s: int | None
    """Median age in seconds."""
    p90_s: int | None
    """90th percentile, in seconds."""
    p99_s: int | None
    """99th percentile, in seconds."""


class SportCoverage(TypedDict):
    sport_key: str
    """As `GET /v1/sports` lists it."""
    markets: int
    """Markets that it prices now, of matches that have not started."""
    newest_age_s: int | None
    """Seconds since it last listed a match of the sport."""
    covering: bool
    """Whether that is at most `coverage_stale_after_s`."""


class ConnectorStatus(TypedDict):
    connector: str
    last_ok_age_s: int | None
    """Seconds since the last successful response; null if there was none."""
    last_poll_age_s: int | None
    """Seconds since the last poll or push; null if there was none."""
    last_change_age_s: int | None
    """Seconds since a response last changed a race on the board; null if none did."""
    polling: bool
    """Whether it was polled within `stale_after_s`; for a registry, within three hours if that is longer."""
    stale: bool
    """Whether it has not responded successfully within `stale_after_s`; for a registry, within three hours if that
    is longer.
    """
    degraded: bool
    """Whether it has a problem: see `degraded_because`."""
    degraded_because: list[Literal["last_poll_failed", "breaker_open", "budget_not_shared"]]
    polls: int
    """Number of polls since collection began."""
    records_written: int
    """Number of records written since collection began; for a book, price changes."""
    last_msg: str | None
    """What went wrong at the last poll; null if nothing did."""
    failures: dict[str, int]
    """Failed polls since `counted_from`, by reason."""
    dropped: dict[str, int]
    """Dropped rows and prices since `counted_from`, by reason."""
    refused: dict[str, int]
    """Refused races since `counted_from`, by reason."""
    breaker: ConnectorBreaker | None
    """Circuit breaker: stops calls to a source that fails."""
    budget: ConnectorBudget | None
    """Rate budget: how many calls may be sent to the source."""
    ages: QuoteAges
    sports: NotRequired[list[SportCoverage]]
    """Sports of which it listed a match of the last week or to come."""
    sports_not_covering: NotRequired[list[str]]
    """Those of them that it no longer covers."""


class ConnectorList(TypedDict):
    now: Instant
    """Time of this response (UTC); ages count to it."""
    stale_after_s: float
    """The threshold applied, in seconds."""
    coverage_stale_after_s: float
    """The threshold applied, in seconds."""
    counted_from: Instant
    """Start of the counts: a midnight UTC at least one day ago."""
    any_stale: bool
    """Whether any connector is stale."""
    any_degraded: bool
    """Whether any connector is degraded."""
    rate_limits: NotRequired[Literal["enforced", "by_process"]]
    """How requests per minute were counted in the last seconds; absent where no key is limited. `enforced`: over all
    processes, exactly. `by_process`: the shared count is unavailable, and each process admits its share of the
    plan’s number.
    """
    not_covering: list[str]
    """Connectors with a sport that they no longer cover."""
    connectors: list[ConnectorStatus]
    """Ordered by name."""


LastPoll = Literal["ok", "error"]
"""Outcome of the last poll or push."""


class ConnectorHealth(TypedDict):
    connector: str
    last_ok: Instant | None
    """Last successful poll (UTC); null if there was none."""
    last_poll: Instant | None
    """Last poll (UTC); null if there was none."""
    status: LastPoll
    records_written: int
    """Number of records written since collection began; for a book, price changes."""
    message: str | None
    """What went wrong; null if nothing did."""


class Uptime(TypedDict):
    uptime_30d_pct: float | None
    """Checks that passed, in percent; null if nothing was measured."""
    checks: int
    """Number of checks in the last 30 days."""
    probe_target: str
    """Address that is probed."""
    measures: str
    """What is measured, as a sentence."""
    note: str
    """Where the measurement is taken."""
    last_check: Instant | None
    """Time of the newest check (UTC)."""
    last_status: Literal["ok", "fail"] | None
    monitor_stale: bool
    """Whether the newest check is older than 15 minutes or there is none."""
    last_check_age_min: float | None
    """Age of the newest check, in minutes."""
    window_first_check: Instant | None
    """Time of the first check in the window (UTC)."""
    window_span_days: float | None
    """Days from the first check of the window until now."""
    status: NotRequired[Literal["no data yet"]]
    """Present only if nothing was measured."""


class MarketQuality(TypedDict):
    """Number of bookmaker markets on open races that start within the next 24 hours, or that are late by up to an
    hour, by the age of their prices. The threshold is that of `stale` in every operation: 2 minutes in the
    refresh tier `live`, 30 minutes in `card`.
    """

    ok: int
    """Fresh markets: up to three quarters of the threshold."""
    warn: int
    """Markets past three quarters of the threshold, and not stale."""
    stale: int
    """Markets past the threshold."""


class SportMarketQuality(TypedDict):
    """Number of priced bookmaker markets of matches that have not started, by the age of their prices. The threshold
    is 30 minutes, that of `stale` in every operation of sports.
    """

    ok: int
    """Fresh: up to three quarters of the threshold."""
    warn: int
    """Past three quarters of the threshold, and not stale."""
    stale: int
    """Past the threshold."""


class ConnectorLastResponse(TypedDict):
    connector: str
    last_ok: Instant | None
    """Last successful poll (UTC); null if there was none."""
    age_seconds: int | None
    """Seconds since then."""
    records_written: int
    """Number of records written since collection began; for a book, price changes."""
    message: str | None
    """What went wrong in the last poll; null if nothing did."""


RacingSport = Literal["racing_horse", "racing_harness", "racing_greyhound", "sports"]
"""Races of one code, or `sports`: the matches of all sports."""


AuditStatus = Literal["running", "ok", "differs", "empty", "failed"]
"""`ok`: every price agreed. `differs`: at least one price differs or is missing on one side. `empty`: no race was
near enough, no bookmaker could be read, or nothing was pushed. `failed`: the run failed, or did not end within 15
minutes.
"""


class LatestAudit(TypedDict):
    id: str
    """Id of the run."""
    sport_key: RacingSport
    status: AuditStatus
    api_rows: int | None
    """Number of prices that the API served, on the compared races or matches and bookmakers. Null until the run has
    ended.
    """
    source_rows: int | None
    """Number of prices that the bookmakers showed."""
    exact_matches: int | None
    """Number of these that are equal."""
    diff_rows: int | None
    """Number of these that differ in every reading."""
    max_delta: float | None
    """Greatest difference between a served price and the bookmaker’s; null if nothing was compared."""
    finished_at: Instant | None
    """End of the run (UTC); null if it has not ended."""


class DataQualitySummary(TypedDict):
    as_of: Instant
    """When the figures were read (UTC)."""
    status: Literal["ok", "degraded"]
    """`degraded` if `degraded_because` has a reason."""
    degraded_because: list[Literal["connector_failed", "market_stale", "sport_market_stale", "audit_differs", "audit_cross_check", "audit_failed", "audit_missing"]]
    """`connector_failed`: the last poll of a connector failed, or it was never polled. `market_stale`: more than 1 %
    of the markets in `recent_market_quality` are `stale`. `sport_market_stale`: more than 10 % of those in
    `sport_market_quality` are `stale`. `audit_differs`, `audit_failed`: the newest audit of a sport has this
    status. `audit_cross_check`: it has `cross_checks`. `audit_missing`: of a sport, no audit that began in the
    last 30 minutes has a result.
    """
    canonical_events: int
    """Number of races on the live board, and of matches that have not started, that at least one bookmaker lists.
    Each is one event, however many list it.
    """
    source_mappings: int
    """Number of bookmakers’ own listings that are mapped to these events."""
    recent_market_quality: MarketQuality
    sport_market_quality: SportMarketQuality
    connectors: list[ConnectorLastResponse]
    """Those of `GET /v1/health`, ordered by name."""
    latest_audit: LatestAudit | None


AuditedMarket = Literal["win", "h2h"]
"""Main market: `win` of races, `h2h` of matches. The other markets are audited with it."""


class AuditRun(TypedDict):
    id: str
    """Id of the run."""
    sport_key: RacingSport
    market_type: AuditedMarket
    status: AuditStatus
    api_rows: int | None
    """Number of prices that the API served, on the compared races or matches and bookmakers. Null until the run has
    ended.
    """
    source_rows: int | None
    """Number of prices that the bookmakers showed."""
    common_rows: int | None
    """Number of prices that both sides have."""
    exact_matches: int | None
    """Number of these that are equal."""
    diff_rows: int | None
    """Number of these that differ in every reading."""
    missing_api: int | None
    """Number of prices that a bookmaker showed and the API did not serve."""
    missing_source: int | None
    """Number of prices that the API served and the bookmaker did not show."""
    max_delta: float | None
    """Greatest difference between a served price and the bookmaker’s; null if nothing was compared."""
    books_checked: int | None
    """Number of bookmakers that were read and compared."""
    races_checked: int | None
    """Number of races, or of matches, on which a bookmaker was compared."""
    outliers: int | None
    """Number of served prices of more than twice or less than half the median of the other bookmakers."""
    cross_checks: int | None
    """Number of bookmakers’ figures over all races that are out of bounds: win prices below place prices, books that
    add up to what is not sold, and distance from the other bookmakers. Null of runs before 2026-11-27.
    """
    started_at: Instant
    """Start of the run (UTC)."""
    finished_at: Instant | None
    """End of the run (UTC); null if it has not ended."""


class OrderedAuditRun(TypedDict):
    run_id: str
    """Id of the run, as `id` elsewhere."""
    sport_key: RacingSport
    market_type: AuditedMarket
    status: AuditStatus
    api_rows: int | None
    """Number of prices that the API served, on the compared races or matches and bookmakers. Null until the run has
    ended.
    """
    source_rows: int | None
    """Number of prices that the bookmakers showed."""
    common_rows: int | None
    """Number of prices that both sides have."""
    exact_matches: int | None
    """Number of these that are equal."""
    diff_rows: int | None
    """Number of these that differ in every reading."""
    missing_api: int | None
    """Number of prices that a bookmaker showed and the API did not serve."""
    missing_source: int | None
    """Number of prices that the API served and the bookmaker did not show."""
    max_delta: float | None
    """Greatest difference between a served price and the bookmaker’s; null if nothing was compared."""
    books_checked: int | None
    """Number of bookmakers that were read and compared."""
    races_checked: int | None
    """Number of races, or of matches, on which a bookmaker was compared."""
    outliers: int | None
    """Number of served prices of more than twice or less than half the median of the other bookmakers."""
    cross_checks: int | None
    """Number of bookmakers’ figures over all races that are out of bounds: win prices below place prices, books that
    add up to what is not sold, and distance from the other bookmakers. Null of runs before 2026-11-27.
    """
    started_at: Instant
    """Start of the run (UTC)."""
    finished_at: Instant | None
    """End of the run (UTC); null if it has not ended."""


AuditFindingStatus = Literal["diff", "missing_api", "missing_source", "outlier", "unread", "cross_check"]
"""`diff`: served prices differ from the bookmaker’s. `missing_api`: the bookmaker shows prices that are not served.
`missing_source`: prices are served that the bookmaker does not show. `outlier`: served prices deviate from the
consensus; this alone is no fault. `unread`: the bookmaker could not be read. `cross_check`: the stored prices of
a bookmaker, over all its races or matches, have a shape that no bookmaker sells, so its responses may be misread.
"""


class AuditedSelection(TypedDict):
    selection: str
    """Number and name of the runner; of a match the side, with the line if there is one."""
    price: float | None
    """Price that the API served; null if it served none."""
    consensus: float | None
    """Median of the other bookmakers’ fresh prices; null with fewer than three."""
    dev_pct: float | None
    """How far the price is above the consensus, in percent; negative below it."""


class AuditFinding(TypedDict):
    bookmaker_key: str
    """Bookmaker key."""
    event_key: list[str]
    """Venue, `R` and the race number, and the day of the race in Sydney. Of a match its two sides and the day of its
    start; of a `cross_check` the sport, `all races` or `all matches`, and the day.
    """
    race_id: str | None
    """Id of the race; null if the finding is about no race."""
    event_id: str | None
    """Id of the match; null if the finding is about no match."""
    market: Literal["win", "place", "top2", "top3", "top4", "tote_win", "h2h", "spreads", "totals"] | None
    """Market of the prices: `tote_win` is the bookmaker’s estimate of its win pool. Null if the finding is about no
    single market, and of audits before 2026-11-27.
    """
    status: AuditFindingStatus
    delta: float | None
    """Greatest difference among the selections: from the bookmaker’s price, or of an outlier from the consensus.
    Null for the others.
    """
    message: str
    """What was found, as a sentence."""
    api: list[AuditedSelection]
    """What the API served of the selections concerned."""
    source: dict[str, float | None]
    """What the bookmaker showed of them, by selection; null if it showed no price or was not compared."""


class UpgradeCheckoutBody(TypedDict):
    email: str | None
    """Null: the address of the account is used."""
    plan: str
    """The recommended plan."""


class UpgradeCheckout(TypedDict):
    method: str
    """Of the request."""
    endpoint: str
    """Its address."""
    body: UpgradeCheckoutBody


class UsageUpgrade(TypedDict):
    recommended_plan: str
    """The cheapest plan that has the credits that your measured use needs, otherwise the largest."""
    credits_per_month: int
    """Its credits."""
    price_aud: float
    """Its price per month in A$."""
    url: str
    """Where plans are described."""
    covers_projected_need: bool
    """False: even the largest plan on sale has fewer credits."""
    sized_for_credits_per_month: int | None
    """A month at your measured rate. Null on the first day of a month."""
    checkout: UpgradeCheckout | None


class UsageTotals(TypedDict):
    calls: int
    """Charged calls."""
    credits: int
    """Credits that they cost."""
    endpoints: int
    """Operations that were called."""


class EndpointUse(TypedDict):
    endpoint: str
    """Path of the operation."""
    calls: int
    """Charged calls."""
    credits: int
    """Credits that they cost."""


class CreditActivity(TypedDict):
    endpoint: str
    """Path of the operation."""
    credits: int
    """Its cost."""
    ts: Instant
    """When it was charged."""


class UsagePlan(TypedDict):
    credits_per_month: int
    """Credits per month."""
    price_aud: float | None
    """Price per month in A$. Null: by agreement."""


class Usage(TypedDict):
    plan: str
    """Plan of the account."""
    account_email_masked: str | None
    """Address of the owner, masked. Null: an operator made the account."""
    credits_used: int
    """Credits used in this UTC month."""
    credits_limit: int | None
    """Credits that may be used in this month, granted ones and overage that is switched on included. Null:
    unlimited.
    """
    credits_remaining: int | None
    """Credits that are left in this month. Null: unlimited."""
    credits_overage: int
    """Of `credits_used`, those beyond the allowance that are billed."""
    reset_at: Instant
    """The first instant of the next month."""
    period_start: Instant
    """The first instant of this month."""
    next_reset_at: Instant
    """Equal to `reset_at`."""
    burn_rate_per_day: float
    """Credits per day, since the month began or the account exists; until the last charge once fewer than 20 credits
    are left.
    """
    projected_month_end_credits: int
    """Credits of the whole month at this rate. On the first day of the month, or of the account, what is used counts
    as the use of a whole day.
    """
    projected_exhaustion_date: Day | None
    """UTC day on which the credits run out at this rate. Null: not in this month."""
    warning: Literal["approaching-limit"] | None
    """From 80 % of what needs no overage on."""
    upgrade: UsageUpgrade | None
    all_time: UsageTotals
    all_time_by_endpoint: list[EndpointUse]
    """Most credits first."""
    usage_by_endpoint: list[EndpointUse]
    """Equal to `all_time_by_endpoint`."""
    recent_activity: list[CreditActivity]
    """The last 20 charges, newest first."""
    usage_by_endpoint_period: list[EndpointUse]
    """This month; adds up to `credits_used`."""
    recent_activity_period: list[CreditActivity]
    """The last 20 charges of this month, newest first."""
    plans: dict[str, UsagePlan]
    """Every plan by its id."""


UsagePeriod = Literal["rolling", "billing"]
"""`rolling`: the last `days` days; `billing`: this UTC month."""


class UsageAnalytics(TypedDict):
    period: UsagePeriod
    period_days: float
    """Of `rolling` the UTC days, today included; of `billing` the days since `period_start`."""
    period_start: Instant
    """Included."""
    period_end: Instant
    """Now."""
    credits_limit: int | None
    """Credits that may be used in this month, granted ones and overage that is switched on included. Null:
    unlimited.
    """
    credits_used_this_period: int
    """Credits used in this UTC month, whatever `period` is."""
    credits_remaining: int | None
    """Credits that are left in this month. Null: unlimited."""
    total_calls: int
    """Charged calls of the period."""
    total_credits: int
    """Credits of the period."""
    by_endpoint: list[EndpointUse]
    """Most credits first."""


class Account(TypedDict):
    account_id: str
    """Stays for the life of the account."""
    plan: str
    """Its plan."""
    created_at: Instant
    """When it was created."""
    email: str | None
    """Address of the owner. Null for a key, which may be a colleague’s, and without an owner."""
    email_masked: str | None
    """The same, masked. Null: an operator made the account, and it has no owner."""
    has_password: bool | None
    """Whether the owner can sign in with a password. Null: there is no owner."""
    marketing_opt_in: bool | None
    """Consent to promotional mail. Null: there is no owner."""
    marketing_changed_at: Instant | None
    """When it was last changed. Null: never."""
    terms_accepted_at: Instant | None
    """When the terms were accepted. Null: there is no owner."""
    terms_version: NotRequired[str | None]
    """The version of the terms that was accepted then, as /terms names it. Null: it was not stored."""
    privacy_version: NotRequired[str | None]
    """The same of the privacy statement, at /privacy."""


class MarketingConsent(TypedDict):
    marketing_opt_in: bool
    """Your consent to promotional mail."""


class MarketingChanged(TypedDict):
    marketing_opt_in: bool
    """As it is stored now."""


KeyScope = Literal["read", "archive", "webhooks", "backfill"]
"""`read`: prices, races, results, form and matches. `archive`: closing lines, price paths, market summaries and bulk
files. `webhooks`: webhooks, their events and deliveries. `backfill`: jobs of horse form.
"""


class KeyInfo(TypedDict):
    key_hint: str
    """The last four characters of the key."""
    plan: str
    """Plan of the account."""
    org_id: str
    """Id of the account, which all its keys share."""
    org_name: str | None
    """Name of the account."""
    credits_used: int
    """Credits that all keys of the account used in this UTC month."""
    credits_limit: int | None
    """Credits that may be used in this month, granted ones and overage that is switched on included. Null:
    unlimited.
    """
    credits_remaining: int | None
    """Credits that are left in this month. Null: unlimited."""
    key_version: int
    """1, and one more for each replacement of the key."""
    last_used_at: Instant | None
    """When a call of this key was last charged."""
    last_used_ip: str | None
    """Always null: the addresses of your calls are not stored."""
    ip_whitelist: list[str]
    """Ranges that may use the key, in CIDR form. Empty: every address."""
    scopes: list[KeyScope] | None
    """What the key may be used for. Null: everything, as the primary key always."""
    created_at: Instant
    """When the key was issued."""
    rotated_at: Instant | None
    """When it was last replaced."""
    key_id: str
    """Names the key; stays when it is replaced."""
    label: str
    """What the key is for."""
    is_primary: bool
    """The key of the account itself. False: a key of its team."""
    valid_until: Instant | None
    """The last instant of a key that was replaced. Null: it was not."""


PlanId = Literal["free", "hobby", "standard", "plus", "business", "platform", "scale", "enterprise"]
"""Plan of the account. Default: `free`."""


class NewKeyRequest(TypedDict):
    label: NotRequired[str]
    """What the key is for. Default: `My Key`."""
    plan: NotRequired[PlanId]
    email: NotRequired[str]
    """Address of the owner. An address that has an account is a 409; on the Free plan another spelling of its
    mailbox too.
    """


class IssuedKey(TypedDict):
    key: str
    """The key. It is stored nowhere and cannot be shown again."""
    plan: str
    """Plan of the account."""
    label: str
    """Label of the key."""
    credits_limit: int
    """Credits of the plan per month."""


class KeyRotation(TypedDict):
    new_key: str
    """The new key. It is stored nowhere and cannot be shown again."""
    api_key: str
    """Equal to `new_key`: published clients read it under this name."""
    old_key_hint: str
    """The last four characters of the replaced key."""
    key_version: int
    """1, and one more for each replacement of the key."""
    rotated_at: Instant
    """When the new key was made."""
    previous_key_valid_until: Instant | None
    """The last instant of the key that works beside the new one. Null: none does."""
    message: str
    """What happens to the replaced key, in a sentence."""


AddressList = list[str]
"""IPv4 and IPv6 addresses and CIDR ranges that may use the key. Empty: every address."""


class KeyAddresses(TypedDict):
    ip_whitelist: list[str]
    """Ranges that may use the key, in CIDR form. Empty: every address."""
    message: str
    """Who may use the key now, in a sentence."""


class TeamKey(TypedDict):
    key_id: str
    """Names the key; stays when the key is replaced."""
    key_hint: str
    """The last four characters of the key."""
    label: str
    """What the key is for, in your words."""
    is_primary: bool
    """The key of the account itself, which manages the others."""
    ip_whitelist: list[str]
    """Ranges that may use the key, in CIDR form. Empty: every address."""
    scopes: list[KeyScope] | None
    """What the key may be used for. Null: everything, as the primary key always."""
    requests_per_minute: int
    """The rate limit, which each key has for itself."""
    key_version: int
    """1, and one more for each replacement of the key."""
    created_at: Instant
    """When the key was issued."""
    rotated_at: Instant | None
    """When it was last replaced."""
    previous_key_valid_until: Instant | None
    """Until when the key that it replaced works. Null: no longer."""
    calls_used: int
    """Charged calls of this key in this UTC month."""
    credits_used: int
    """Credits that they cost the account."""
    last_used_at: Instant | None
    """When a call of this key was last charged."""


class TeamKeys(TypedDict):
    limit: int
    """Keys that the plan allows the account, the primary one included."""
    keys: list[TeamKey]
    """The primary key first, then by age."""


class TeamKeyRequest(TypedDict):
    label: str
    """What the key is for, in your words."""
    ip_whitelist: NotRequired[AddressList]
    scopes: NotRequired[list[KeyScope] | None]
    """What the key may be used for. Null: everything. Operations of the account and of the key itself need no scope."""


class NewTeamKey(TypedDict):
    key: str
    """The key. It is stored nowhere and cannot be shown again."""
    key_id: str
    """Names the key; stays when the key is replaced."""
    key_hint: str
    """The last four characters of the key."""
    label: str
    """What the key is for, in your words."""
    is_primary: bool
    """The key of the account itself, which manages the others."""
    ip_whitelist: list[str]
    """Ranges that may use the key, in CIDR form. Empty: every address."""
    scopes: list[KeyScope] | None
    """What the key may be used for. Null: everything, as the primary key always."""
    requests_per_minute: int
    """The rate limit, which each key has for itself."""
    key_version: int
    """1, and one more for each replacement of the key."""
    created_at: Instant
    """When the key was issued."""
    rotated_at: Instant | None
    """When it was last replaced."""
    previous_key_valid_until: Instant | None
    """Until when the key that it replaced works. Null: no longer."""
    calls_used: int
    """Charged calls of this key in this UTC month."""
    credits_used: int
    """Credits that they cost the account."""
    last_used_at: Instant | None
    """When a call of this key was last charged."""


class TeamKeyChange(TypedDict):
    label: NotRequired[str]
    """What the key is for, in your words."""
    ip_whitelist: NotRequired[AddressList]
    scopes: NotRequired[list[KeyScope] | None]
    """What the key may be used for. Null: everything. Operations of the account and of the key itself need no scope."""


class DeletedTeamKey(TypedDict):
    key_id: str
    """Of the key that has ended."""
    deleted: bool
    """Always true."""


class Overage(TypedDict):
    enabled: bool
    """Whether calls go on beyond the allowance."""
    plan: str
    """Plan of the account."""
    credits_per_month: int
    """Allowance of the plan."""
    ceiling: int
    """Credits of a month at which calls stop, without granted ones: the allowance if overage is off."""
    rate_per_1000_credits: float
    """A$ for 1,000 credits beyond the allowance: the plan’s own price."""
    currency: str
    """`AUD`."""
    period_start: Instant
    """The first instant of this UTC month."""
    overage_credits: int
    """Credits of this month beyond the allowance."""
    invoice_now: float
    """A$ that this month would be invoiced now."""


class OverageChoice(TypedDict):
    enabled: bool
    """True: calls go on beyond the allowance, up to the ceiling, and are billed."""


class BillingPortal(TypedDict):
    url: str
    """A page of Stripe for your account: invoices, card, plan and cancellation. For one person to open now; never
    pass it on.
    """
    expires_at: int
    """Until when the page can be opened, in Unix seconds."""
    note: str
    """What the page is for."""


PaidPlan = Literal["hobby", "standard", "plus", "business", "platform", "scale"]
"""A plan that can be bought."""


BillingInterval = Literal["month", "year"]
"""How a plan is paid: by the month, or by the year for the price of ten months."""


class UpgradeLinkRequest(TypedDict):
    plan: PaidPlan
    interval: NotRequired[BillingInterval]
    email: NotRequired[str | None]
    """Not used: invoices go to the address of the account."""


class UpgradeLink(TypedDict):
    url: str
    """Leads to the page of Stripe on which the upgrade is paid. It changes nothing by itself. Open it in a browser."""
    expires_at: int
    """Until when it works, in Unix seconds."""
    plan: PaidPlan
    interval: BillingInterval
    price_aud: float
    """Price of one interval in A$, GST included."""
    prorated: bool
    """True: an existing subscription changes in place, and what is left of it counts."""
    note: str
    """What happens when it is opened."""
    due_now_aud: NotRequired[float]
    """Of a new subscription: what is paid now in A$, GST included, for the time until `renews_at`. It falls by the
    second until it is paid; less than A$0.50 is 0 here and comes with the next invoice.
    """
    renews_at: NotRequired[Instant]
    """Of a new subscription: the first of a month, 00:00 UTC, from which on whole intervals are paid, as credits are
    counted.
    """


class SubscriptionCancelled(TypedDict):
    status: Literal["cancelled"]
    """The subscription is not renewed."""
    plan: PaidPlan
    interval: BillingInterval
    ends_at: Instant
    """The end of the period that was invoiced last. A plan that is paid stays as it is until then."""
    note: str
    """What happens then."""


ReferralPayout = Literal["credits", "none"]
"""What your side gets: `credits`, or `none` if you may not accept a reward. The other side always gets its credits."""


class Referral(TypedDict):
    code: str
    """Your code, sent as `referral` at signup."""
    link: str
    """A link with your code."""
    payout: ReferralPayout
    credits_per_referral: int
    """Credits for each side, once the other account has paid its first invoice."""
    signed_up: int
    """Accounts that signed up with your code."""
    paid: int
    """Of them, those that have paid."""
    credits_earned: int
    """Credits that you got. They are used after your allowance and do not expire."""


class ReferralChoice(TypedDict):
    payout: ReferralPayout


WebhookEventType = Literal["race.odds_open", "odds.change", "arb.opportunity", "race.result", "race.scratching", "race.market_closed", "backfill.completed", "race.start_moved", "race.track_changed", "arb.corrected", "market.suspend", "account.payment_failed", "account.plan_changed", "account.credits_used", "account.overage_begun", "account.overage_ended", "account.key_rotated", "account.key_revealed", "account.key_added", "account.key_deleted", "account.key_addresses_changed", "account.password_changed", "account.email_changed", "account.new_browser", "account.passkey_added", "account.passkey_removed", "account.passkey_refused", "account.webhook_disabled", "account.widget_near_limit"]
"""Kind of event. `market.suspend` is accepted and never sent. Only the primary key may name those that begin with
`account.`.
"""


WebhookSport = Literal["racing_horse", "racing_harness", "racing_greyhound", "afl", "aflw", "nrl", "nrlw", "super_league", "nba", "wnba", "basketball_other", "nfl", "ncaaf", "mlb", "nhl", "mma", "tennis_atp", "tennis_wta", "cricket_test", "cricket_other", "rugby_union", "soccer_epl", "soccer_other"]
"""Of races by code, or the key of a sport."""


class Webhook(TypedDict):
    id: str
    """Names the webhook."""
    url: str
    """Where events are posted."""
    events: list[WebhookEventType]
    """Only these kinds; empty: all but those that are sent only to webhooks that name them."""
    sports: list[WebhookSport]
    """Only events of these; empty: of all. Codes of racing alone leave out events of sports, unless `events` names
    them.
    """
    country: list[str]
    """Only races of these countries, such as `["AU", "NZ"]`; empty: of all. A race whose country is unknown is then
    left out. Leaves out events of sports, unless `events` or `sports` names them.
    """
    venue: list[str]
    """Only races at these venues, case-insensitive, in any of the `spellings` that `GET /v1/racing/venues` lists;
    empty: at all. A name that no feed has used matches no race. Leaves out events of sports, unless `events` or
    `sports` names them.
    """
    min_edge_pct: float | None
    """The least `edge_pct` of an `arb.opportunity`. If `events` is not empty, it must name that."""
    is_active: bool
    """False: it is paused or disabled."""
    paused: bool
    """Whether you paused it."""
    created_at: Instant
    """When it was created (UTC)."""
    last_delivery_at: Instant | None
    """When an event was last delivered; test calls are not counted."""
    failure_count: int
    """Attempts that have failed since then."""
    secret: str | None
    """Signs what is posted. Shown when it is made, null in all other responses."""
    previous_secret_until: Instant | None
    """Until when the secret before the last rotation signs too."""
    delivery_entitled: bool
    """Whether your plan includes delivery."""
    delivery_paused_reason: Literal["plan", "paused", "gone", "failing"] | None
    """Why nothing is posted. `plan`: your plan does not include it. `paused`: you paused it. `gone`: the receiver
    responded with 410. `failing`: every attempt of five days failed. Null: events are posted.
    """
    bookmakers: list[Bookmaker]
    """Only events at these bookmakers; empty: at all. `odds.change`: one of them has a best price that moved.
    `race.odds_open`: one of them priced the race at that moment; it is sent once, so a race that another book
    priced first is not announced. `race.market_closed`: one of them reports it. `arb.opportunity`: all of its
    legs are theirs. Events without a bookmaker are not filtered. Leaves out events of sports, unless `events` or
    `sports` names them.
    """
    min_move_pct: float | None
    """The least move of a best price in an `odds.change`, in percent of the price in the event before it; with
    `bookmakers`, of one that is theirs now. A price that came or went is no such move. If `events` is not empty,
    it must name `odds.change`.
    """


class WebhookCreate(TypedDict):
    url: str
    """An `https://` URL with a public host on port 443, without a user name or a password. It is checked again at
    every connection.
    """
    events: NotRequired[list[WebhookEventType]]
    """Only these kinds; empty: all but those that are sent only to webhooks that name them. Default: all."""
    sports: NotRequired[list[WebhookSport] | None]
    """Only events of these; empty: of all. Codes of racing alone leave out events of sports, unless `events` names
    them.
    """
    country: NotRequired[list[str] | None]
    """Only races of these countries, such as `["AU", "NZ"]`; empty: of all. A race whose country is unknown is then
    left out. Leaves out events of sports, unless `events` or `sports` names them.
    """
    venue: NotRequired[list[str] | None]
    """Only races at these venues, case-insensitive, in any of the `spellings` that `GET /v1/racing/venues` lists;
    empty: at all. A name that no feed has used matches no race. Leaves out events of sports, unless `events` or
    `sports` names them.
    """
    min_edge_pct: NotRequired[float | None]
    """The least `edge_pct` of an `arb.opportunity`. If `events` is not empty, it must name that."""
    bookmakers: NotRequired[list[Bookmaker] | None]
    """Only events at these bookmakers; empty: at all. `odds.change`: one of them has a best price that moved.
    `race.odds_open`: one of them priced the race at that moment; it is sent once, so a race that another book
    priced first is not announced. `race.market_closed`: one of them reports it. `arb.opportunity`: all of its
    legs are theirs. Events without a bookmaker are not filtered. Leaves out events of sports, unless `events` or
    `sports` names them.
    """
    min_move_pct: NotRequired[float | None]
    """The least move of a best price in an `odds.change`, in percent of the price in the event before it; with
    `bookmakers`, of one that is theirs now. A price that came or went is no such move. If `events` is not empty,
    it must name `odds.change`.
    """


class WebhookChange(TypedDict):
    url: NotRequired[str]
    """An `https://` URL with a public host on port 443, without a user name or a password. It is checked again at
    every connection. What is still to be delivered goes to the new one too; the secret and the list of deliveries
    stay.
    """
    events: NotRequired[list[WebhookEventType]]
    """Only these kinds; empty: all but those that are sent only to webhooks that name them."""
    sports: NotRequired[list[WebhookSport] | None]
    """Only events of these; empty: of all. Codes of racing alone leave out events of sports, unless `events` names
    them.
    """
    country: NotRequired[list[str] | None]
    """Only races of these countries, such as `["AU", "NZ"]`; empty: of all. A race whose country is unknown is then
    left out. Leaves out events of sports, unless `events` or `sports` names them.
    """
    venue: NotRequired[list[str] | None]
    """Only races at these venues, case-insensitive, in any of the `spellings` that `GET /v1/racing/venues` lists;
    empty: at all. A name that no feed has used matches no race. Leaves out events of sports, unless `events` or
    `sports` names them.
    """
    min_edge_pct: NotRequired[float | None]
    """The least `edge_pct` of an `arb.opportunity`. If `events` is not empty, it must name that."""
    bookmakers: NotRequired[list[Bookmaker] | None]
    """Only events at these bookmakers; empty: at all. `odds.change`: one of them has a best price that moved.
    `race.odds_open`: one of them priced the race at that moment; it is sent once, so a race that another book
    priced first is not announced. `race.market_closed`: one of them reports it. `arb.opportunity`: all of its
    legs are theirs. Events without a bookmaker are not filtered. Leaves out events of sports, unless `events` or
    `sports` names them.
    """
    min_move_pct: NotRequired[float | None]
    """The least move of a best price in an `odds.change`, in percent of the price in the event before it; with
    `bookmakers`, of one that is theirs now. A price that came or went is no such move. If `events` is not empty,
    it must name `odds.change`.
    """
    paused: NotRequired[bool]
    """True: nothing is posted. False: events are posted again, also to a webhook that was disabled."""


class WebhookDeleted(TypedDict):
    deleted: bool
    """Always true."""
    id: str
    """Of the webhook that was deleted."""


class WebhookEvents(TypedDict):
    events: list[dict[str, Any]]
    """In the order in which they were recorded, the oldest first; those of one race by `sequence`."""
    next: str
    """Send it as `after` to read on: always, also if there were no events. Valid for 30 days."""
    has_more: bool
    """Whether there was more to look through: then ask again at once. A page may have no events and say so."""


WebhookDeliveryStatus = Literal["pending", "retrying", "delivered", "failed", "cancelled"]
"""`pending`: the first attempt is still to be made. `retrying`: it failed, and another follows. `delivered`: a
response with 2xx. `failed`: the last of ten attempts failed. `cancelled`: it is not posted any more; `error` has
the reason.
"""


class WebhookAttempt(TypedDict):
    attempt: int
    """1 is the first."""
    started_at: Instant
    """When it was made (UTC)."""
    duration_ms: int | None
    """Milliseconds to its end. Null: it is under way, or it was cut off."""
    status_code: int | None
    """HTTP status of the response. Null: there was none."""
    error: str | None
    """Why it failed."""


class WebhookDelivery(TypedDict):
    id: str
    """Names the delivery."""
    webhook_id: str
    event_id: str
    """The `webhook-id` of every attempt, the same for all webhooks and replays."""
    event_type: WebhookEventType
    payload: dict[str, Any] | None
    """What is posted. Null: it is no longer stored."""
    status: WebhookDeliveryStatus
    attempt_count: int
    """Attempts so far, the one under way included."""
    status_code: int | None
    """HTTP status of the last response. Null: there was none."""
    error: str | None
    """Why the last attempt failed, or why it was cancelled."""
    created_at: Instant
    """When its event was written (UTC); of a replay or a test, when it was queued."""
    delivered_at: Instant | None
    """When the receiver accepted it (UTC)."""
    attempts: list[WebhookAttempt]
    """The first one first."""
    replay_of: str | None
    """The delivery that this one repeats."""
    test: bool
    """Whether it is of a test call."""


WebhookReplayRequest = TypedDict(
    "WebhookReplayRequest",
    {
        "from": "Instant",
        "to": "Instant",
        "events": "NotRequired[list[WebhookEventType]]",
        "statuses": "NotRequired[list[Literal[\"delivered\", \"failed\", \"cancelled\"]]]",
    },
)
"""from: Deliveries that were queued from then on. RFC 3339 with a UTC offset, such as `2026-11-21T16:20:00+11:00`;
digits beyond milliseconds are ignored.
to: Before then, at most 24 hours later. RFC 3339 with a UTC offset, such as `2026-11-21T16:20:00+11:00`; digits
beyond milliseconds are ignored.
events: Only these kinds; empty: all.
statuses: Only deliveries that ended so. Default: all that have ended.
"""


class WebhookReplay(TypedDict):
    webhook_id: str
    replayed: int
    """Deliveries that are made again."""


class WebhookTest(TypedDict):
    delivered: bool
    """Whether the receiver responded with 2xx."""
    status_code: int | None
    """HTTP status of the last response. Null: there was none."""
    error: str | None
    """Why it was not delivered."""
    delivery_id: str
    """The delivery of the test in the list of deliveries."""
    webhook_active: bool
    """`is_active` of the webhook: a test is posted all the same."""


WidgetType = Literal["racing", "sports"]
"""What it shows: `racing`, the next races; `sports`, the next matches of one sport in one market. Default: `racing`.
It cannot be changed.
"""


class WidgetLinkTemplates(TypedDict):
    """By bookmaker key, where its prices link to: an https:// URL that may have `{race_id}`, `{race_number}`,
    `{venue}`, `{category}`, `{runner_number}`, `{runner_name}`, `{bookmaker}` after its host; of a sports widget
    `{event_id}`, `{sport_key}`, `{home_team}`, `{away_team}`, `{market}`, `{selection}`, `{point}`,
    `{bookmaker}`. Values are percent-encoded. Prices of a bookmaker without a template do not link.
    """

    sportsbet: NotRequired[str]
    tab: NotRequired[str]
    tabtouch: NotRequired[str]
    ladbrokes_au: NotRequired[str]
    neds: NotRequired[str]
    pointsbetau: NotRequired[str]
    betr_au: NotRequired[str]
    betright: NotRequired[str]
    unibet: NotRequired[str]
    playup: NotRequired[str]
    palmerbet: NotRequired[str]
    betdeluxe: NotRequired[str]
    betgold: NotRequired[str]
    boostbet: NotRequired[str]
    dabble_au: NotRequired[str]
    ladbrokes_uk: NotRequired[str]
    williamhill: NotRequired[str]
    betway_uk: NotRequired[str]
    realbookie: NotRequired[str]
    winnersbet: NotRequired[str]
    dafabet: NotRequired[str]
    premiumbet: NotRequired[str]
    ponybet: NotRequired[str]
    stablebet: NotRequired[str]


WidgetTheme = Literal["auto", "light", "dark"]
"""Colours; `auto`, the default, follows the reader’s setting."""


class Widget(TypedDict):
    id: str
    """Names the widget in these operations. It never appears in pages."""
    type: WidgetType
    name: str
    """What the widget is for."""
    embed_id: str
    """Names the widget in your pages, where every reader may see it. It shows the widget and has no other right."""
    embed_url: str
    """The page to frame."""
    embed_html: str
    """The markup to paste into your pages."""
    fill_url: str
    """The same data as JSON, for scripts of your sites."""
    allowed_origins: list[str]
    """The sites that may embed it: scheme, host and port, as browsers send them in `Origin`. Exact, without
    wildcards. `http://localhost` and `http://127.0.0.1` are accepted for development.
    """
    max_fills_per_hour: int
    """Charged fills in any 60 minutes. Each costs 2 credits, of a sports widget 1; further ones are refused until
    earlier ones are an hour old. Half of them, at most 60, are for the next races or matches alone; of the others
    one network of readers gets at most a quarter. A change takes up to five seconds. Default: 120.
    """
    max_fills_per_month: int | None
    """Charged fills in a UTC month, half of them for the next races or matches alone; readers then get the last
    prices. At 80 % of it we mail you, once. Null, the default: no limit.
    """
    link_templates: WidgetLinkTemplates
    bookmakers: list[Bookmaker]
    """Only these bookmakers are compared; empty: all. A list of retired bookmakers alone is a 422."""
    categories: list[Category]
    """Only races of these codes; empty: all."""
    country: list[str]
    """Only races of these countries; empty: of all. A race whose country is unknown is never shown."""
    num_races: int | None
    """Races shown, the next ones to jump. Null: it shows matches."""
    sport_key: SportKey | None
    """The sport of its matches. Null: it shows races."""
    market: SportMarket | None
    """The market of its matches. Null: it shows races."""
    num_matches: int | None
    """Matches shown, the next ones to start. Null: it shows races."""
    title: str | None
    """The heading that readers see."""
    accent: str
    """Colour of lines and marks, as `#rrggbb`. Text keeps colours that are readable on both themes."""
    theme: WidgetTheme
    paused: bool
    """True: it shows nothing and is not filled."""
    is_active: bool
    """Whether it is filled: your plan includes widgets, and it is not paused."""
    fill_entitled: bool
    """Whether your plan includes widgets."""
    fills_last_hour: int
    """Charged fills of the last 60 minutes."""
    fills_this_month: int
    """Charged fills of this UTC month."""
    last_filled_at: Instant | None
    """When a fill was last charged (UTC)."""
    created_at: Instant
    """When it was created (UTC)."""
    changed_at: Instant
    """When its settings were last changed (UTC)."""


class WidgetList(TypedDict):
    limit: int
    """Widgets that the plan allows the account."""
    widgets: list[Widget]
    """The oldest first."""


class WidgetCreate(TypedDict):
    type: NotRequired[WidgetType]
    name: str
    """What the widget is for, in your words. Readers do not see it."""
    allowed_origins: list[str]
    """The sites that may embed it: scheme, host and port, as browsers send them in `Origin`. Exact, without
    wildcards. `http://localhost` and `http://127.0.0.1` are accepted for development.
    """
    max_fills_per_hour: NotRequired[int]
    """Charged fills in any 60 minutes. Each costs 2 credits, of a sports widget 1; further ones are refused until
    earlier ones are an hour old. Half of them, at most 60, are for the next races or matches alone; of the others
    one network of readers gets at most a quarter. A change takes up to five seconds. Default: 120.
    """
    max_fills_per_month: NotRequired[int | None]
    """Charged fills in a UTC month, half of them for the next races or matches alone; readers then get the last
    prices. At 80 % of it we mail you, once. Null, the default: no limit.
    """
    link_templates: NotRequired[WidgetLinkTemplates]
    bookmakers: NotRequired[list[Bookmaker]]
    """Only these bookmakers are compared; empty: all. A list of retired bookmakers alone is a 422."""
    categories: NotRequired[list[Category]]
    """Only races of these codes; empty: all."""
    country: NotRequired[list[str]]
    """Only races of these countries; empty: of all. A race whose country is unknown is never shown."""
    num_races: NotRequired[int]
    """Races shown, the next ones to jump. Default: 3."""
    sport_key: NotRequired[SportKey]
    market: NotRequired[SportMarket]
    num_matches: NotRequired[int]
    """Matches shown, the next ones to start that are priced. Default: 3."""
    title: NotRequired[str | None]
    """The heading that readers see. Null: none."""
    accent: NotRequired[str]
    """Colour of lines and marks, as `#rrggbb`. Text keeps colours that are readable on both themes."""
    theme: NotRequired[WidgetTheme]


class WidgetChange(TypedDict):
    name: NotRequired[str]
    """What the widget is for, in your words. Readers do not see it."""
    allowed_origins: NotRequired[list[str]]
    """The sites that may embed it: scheme, host and port, as browsers send them in `Origin`. Exact, without
    wildcards. `http://localhost` and `http://127.0.0.1` are accepted for development.
    """
    max_fills_per_hour: NotRequired[int]
    """Charged fills in any 60 minutes. Each costs 2 credits, of a sports widget 1; further ones are refused until
    earlier ones are an hour old. Half of them, at most 60, are for the next races or matches alone; of the others
    one network of readers gets at most a quarter. A change takes up to five seconds. Default: 120.
    """
    max_fills_per_month: NotRequired[int | None]
    """Charged fills in a UTC month, half of them for the next races or matches alone; readers then get the last
    prices. At 80 % of it we mail you, once. Null, the default: no limit.
    """
    link_templates: NotRequired[WidgetLinkTemplates]
    bookmakers: NotRequired[list[Bookmaker]]
    """Only these bookmakers are compared; empty: all. A list of retired bookmakers alone is a 422."""
    categories: NotRequired[list[Category]]
    """Only races of these codes; empty: all."""
    country: NotRequired[list[str]]
    """Only races of these countries; empty: of all. A race whose country is unknown is never shown."""
    num_races: NotRequired[int]
    """Races shown, the next ones to jump. Default: 3."""
    sport_key: NotRequired[SportKey]
    market: NotRequired[SportMarket]
    num_matches: NotRequired[int]
    """Matches shown, the next ones to start that are priced. Default: 3."""
    title: NotRequired[str | None]
    """The heading that readers see. Null: none."""
    accent: NotRequired[str]
    """Colour of lines and marks, as `#rrggbb`. Text keeps colours that are readable on both themes."""
    theme: NotRequired[WidgetTheme]
    paused: NotRequired[bool]
    """True: it shows nothing and is not filled."""
    replace_embed_id: NotRequired[str]
    """The present `embed_id`, to replace it: pages with the old one show nothing from then on. Any other value is a
    409, so that a repeated request replaces it once.
    """


class WidgetDeleted(TypedDict):
    id: str
    """Of the widget that was deleted."""
    deleted: bool
    """Always true."""


class DemoSelection(TypedDict):
    name: str
    best_price: float
    """Decimal odds."""
    best_bookmaker: str
    """Bookmaker key."""
    last_update: Instant
    """When the book last confirmed the price (UTC)."""


class DemoEvent(TypedDict):
    home_team: str
    """The home side, as the table of teams or the first book spells it."""
    away_team: str
    """The away side, as the table of teams or the first book spells it."""
    commence_time: Instant
    """The start that most books list (UTC); it moves when the match is postponed."""
    selections: list[DemoSelection]
    arb_exists: bool
    """Whether fresh prices of every outcome are an arb."""
    arb_profit_pct: float
    """What it returns beyond the stakes, in percent; 0 if there is none."""


class DemoBestOdds(TypedDict):
    demo: Literal[True]
    note: str
    signup_url: str
    """Where to get a key."""
    truncated: bool
    """Whether matches were left out."""
    cached: bool
    """Whether this sample was computed for an earlier request."""
    sport: SportKey | None
    """Key of a sport, as `GET /v1/sports` lists it. Keys may be added later."""
    events: list[DemoEvent]
    """By start. Empty: no match is priced now."""


class DemoPrice(TypedDict):
    name: str
    """The side or the runner, as the book spells it."""
    price: float
    """Decimal odds."""


class DemoBookMatch(TypedDict):
    home_team: str
    """The home side, as the table of teams or the first book spells it."""
    away_team: str
    """The away side, as the table of teams or the first book spells it."""
    commence_time: Instant
    """The start that most books list (UTC); it moves when the match is postponed."""
    last_update: Instant
    """When the book last confirmed the price (UTC)."""
    prices: list[DemoPrice]


class DemoBookRace(TypedDict):
    venue: str
    """Venue name as the feeds spell it."""
    race_number: int
    """Number of the race in its meeting."""
    start_time: Instant
    """Advertised start (UTC); it can move."""
    last_update: Instant
    """When the book last confirmed the price (UTC)."""
    prices: list[DemoPrice]
    """Win prices, by runner number."""


class DemoBookSport(TypedDict):
    demo: Literal[True]
    note: str
    signup_url: str
    """Where to get a key."""
    truncated: bool
    """Whether matches were left out."""
    cached: bool
    """Whether this sample was computed for an earlier request."""
    book: str
    """Bookmaker key."""
    sport: Literal["afl", "aflw", "nrl", "nrlw", "super_league", "nba", "wnba", "basketball_other", "nfl", "ncaaf", "mlb", "nhl", "mma", "tennis_atp", "tennis_wta", "cricket_test", "cricket_other", "rugby_union", "soccer_epl", "soccer_other", "horse-racing", "harness-racing", "greyhound-racing"]
    """The key of the sport, or the racing code."""
    type: str
    """`sports` or `racing`."""
    has_data: bool
    """Whether the book prices a match or a race of it now."""
    items: list[DemoBookMatch | DemoBookRace]
    """By start: matches of a sport, or races of a racing code."""


class DemoQuote(TypedDict):
    key: str
    """Bookmaker key."""
    win_price: float
    """Decimal odds."""
    source_url: str | None
    """The book’s page for this race; null if it has no known address."""


class DemoRunner(TypedDict):
    name: str
    number: int
    bookmakers: list[DemoQuote]
    """Best price first, without placeholder quotes."""


class DemoRace(TypedDict):
    race_id: str
    """Stable id of the race, the same on every racing endpoint."""
    venue: str
    """Venue name as the feeds spell it."""
    race_number: int
    """Number of the race in its meeting."""
    category: Category
    start_time: Instant
    """Advertised start (UTC); it can move."""
    country: str | None
    """ISO 3166 country code; null while the meeting’s country is not confirmed."""
    runners: list[DemoRunner]


class DemoNextToGo(TypedDict):
    demo: Literal[True]
    note: str
    signup_url: str
    """Where to get a key."""
    shape: str
    """Limits of the sample."""
    truncated: bool
    """Whether races, runners or books were left out."""
    cached: bool
    """Whether this sample was computed for an earlier request."""
    races: list[DemoRace]


class IngestRunner(TypedDict):
    name: str
    """Name as the book displays it."""
    number: NotRequired[int | None]
    """Saddlecloth number. Without it, the runner is matched by name."""
    win_price: float | None
    """Decimal odds; null or 0 if not quoted."""
    place_price: NotRequired[float | None]
    """Decimal odds; null, 0 or absent if not quoted."""
    top2_price: NotRequired[float | None]
    """Decimal odds; null, 0 or absent if not quoted."""
    top3_price: NotRequired[float | None]
    """Decimal odds; null, 0 or absent if not quoted."""
    top4_price: NotRequired[float | None]
    """Decimal odds; null, 0 or absent if not quoted."""


class IngestRace(TypedDict):
    source_id: str
    """The book’s own id for the race."""
    venue: str
    """Venue name as the book spells it."""
    race_number: int
    category: Category
    start_time: Instant
    """Advertised start. RFC 3339 with a UTC offset, such as `2026-11-21T16:20:00+11:00`; digits beyond milliseconds
    are ignored.
    """
    country: NotRequired[str]
    """ISO 3166 country code; `AU` if absent."""
    observed_at: NotRequired[Instant]
    """When these prices applied at the book. Send it if it differs from the `observed_at` of the list. RFC 3339 with
    a UTC offset, such as `2026-11-21T16:20:00+11:00`; digits beyond milliseconds are ignored.
    """
    runners: list[IngestRunner]
    """Every runner that the book prices; a runner that is left out is no longer priced."""


class IngestPayload(TypedDict):
    bookmaker_key: str
    """Must equal `bookmaker_key` in the path."""
    observed_at: NotRequired[Instant]
    """When these prices applied at the book. Default: now. RFC 3339 with a UTC offset, such as
    `2026-11-21T16:20:00+11:00`; digits beyond milliseconds are ignored.
    """
    races: list[IngestRace]


class IngestRefusal(TypedDict):
    source_id: str
    reason: Literal["ambiguous_race", "race_not_listed_elsewhere", "race_renumbered", "another_race", "runners_not_known", "off_board", "start_out_of_window", "name_is_formula", "replayed"]
    """`ambiguous_race`: more than one race matches, or the row repeats another row of the list.
    `start_out_of_window`: the start is more than 70 minutes past or 168 hours ahead. `name_is_formula`: the name
    of the venue begins with =, +, - or @. `race_renumbered`: the book’s own race ids contradict its race numbers.
    `another_race`: the runners belong to another race. `runners_not_known`: the runners have no numbers and no
    source has named the runners of the race yet; send the race again later. `off_board`: the race has left the
    board, and no more of its prices are stored. `replayed`: prices that are at least as new are stored already;
    nothing was changed.
    """


class IngestReply(TypedDict):
    ok: bool
    """True if the push was read; see `refused` for the races that were not accepted."""
    bookmaker_key: str
    """Bookmaker key."""
    races_ingested: int
    """Number of races accepted."""
    runners_built: int
    """Number of runners of those races that were identified, priced or not."""
    observed_at_applied: Instant
    """The observation time that applies to races without their own `observed_at` (UTC)."""
    refused: list[IngestRefusal]
    """The refused races, in the order of the list."""
    dropped: dict[str, int]
    """Number of dropped prices and runners, by reason. `name_is_formula`: a runner whose name begins with =, +, - or
    @, which spreadsheets run.
    """


class IngestSelection(TypedDict):
    name: str
    """The team as `home_team` or `away_team` names it, or `Draw`; of totals `Over` or `Under`, with or without the
    total.
    """
    price: float | None
    """Decimal odds; null or 0 if not quoted."""
    point: NotRequired[float | None]
    """The handicap of the side (spreads) or the total (totals). Required there."""


class IngestMarket(TypedDict):
    market_type: NotRequired[OfferedSportMarket]
    last_update: NotRequired[Instant | None]
    """When the source itself last updated these prices, of whatever age. Repeating it makes the prices no younger.
    Absent or null: not known. RFC 3339 with a UTC offset, such as `2026-11-21T16:20:00+11:00`; digits beyond
    milliseconds are ignored.
    """
    selections: list[IngestSelection]
    """Both sides, and the draw if the book offers it. Of alternates both sides of each line. A push has at most
    60000 selections in all; a larger one is a 413, and nothing is taken back.
    """


class IngestEvent(TypedDict):
    source_id: NotRequired[str | None]
    """The book’s own id for the match. With it, a match that is postponed stays the same match."""
    sport_key: SportKey
    home_team: str
    """As the book displays it."""
    away_team: str
    """As the book displays it."""
    commence_time: Instant
    """Advertised start. RFC 3339 with a UTC offset, such as `2026-11-21T16:20:00+11:00`; digits beyond milliseconds
    are ignored.
    """
    competition: NotRequired[str | None]
    """Such as `NRLW`."""
    markets: list[IngestMarket]
    """Each market, `h2h` if `market_type` is absent. The first listing of a line market is its main line; others are
    alternates, listed as `alternate_spreads` and `alternate_totals` or as the market again, 40 lines of a market
    with the main one. Without a main line the most even alternate is it. A market that is left out is no longer
    offered.
    """


class SportIngestPayload(TypedDict):
    bookmaker_key: str
    """Must equal `bookmaker_key` in the path."""
    observed_at: NotRequired[Instant]
    """When these prices applied at the book. Default: now. RFC 3339 with a UTC offset, such as
    `2026-11-21T16:20:00+11:00`; digits beyond milliseconds are ignored.
    """
    events: list[IngestEvent]
    """Every match that the book offers, of all sports: prices of any other match are taken back."""


class SportIngestRefusal(TypedDict):
    index: int
    """Place in `events`, from 0."""
    source_id: str | None
    reason: Literal["unreadable_team", "same_team", "repeated", "ambiguous_event", "prices_disagree", "started", "start_out_of_window", "name_is_formula", "replayed"]
    """`unreadable_team`: a team’s name has no Latin letter or digit, or a letter of another script. `same_team`:
    both names mean one team. `repeated`: the match is in the list twice. `ambiguous_event`: two stored matches
    fit equally well, or the list has another row that fits the same match as well, or more than 100 rows of its
    two teams. `prices_disagree`: other bookmakers give the home side another chance, by 40 points or more: it is
    another match, or its sides are exchanged. `started`: the match, by this row or by most bookmakers, started at
    `observed_at` or before; its last prices stay. `start_out_of_window`: it starts more than a year ahead.
    `name_is_formula`: a team’s name or the competition begins with =, +, - or @. `replayed`: a push at least as
    new is stored already, or newer prices of the bookmaker’s match came from another source; nothing of it was
    changed.
    """


class SportIngestReply(TypedDict):
    ok: bool
    """True if the push was read; see `refused` for the matches that were not accepted."""
    bookmaker_key: str
    """Bookmaker key."""
    replayed: bool
    """A push at least as new is stored already: nothing of this one was stored or taken back."""
    events_ingested: int
    """Number of matches accepted."""
    markets_changed: int
    """Number of markets whose prices or points changed, including those taken back."""
    markets_taken_back: int
    """Number of markets that the book offered before and no longer does."""
    observed_at_applied: Instant
    """The observation time of the stored push (UTC): of this one, unless it is `replayed`."""
    refused: list[SportIngestRefusal]
    """The refused matches, in the order of the list."""
    dropped: dict[str, int]
    """Number of dropped markets and prices, by market and reason: `_unknown_selection`, `_repeated_selection`,
    `_missing_side`, `_missing_point`, `_points_differ`, `_repeated` and `_draw_not_priced` drop a market or a
    line, `_too_many` a line beyond 40, `_not_a_price` and `_price_out_of_range` (not from 1.01 to 1001) one
    price.
    """


class BookCoverage(TypedDict):
    bookmaker: str
    """Bookmaker key."""
    title: str
    """Name of the bookmaker."""
    races_priced: int
    """Races with at least one captured win price of the bookmaker before the jump."""
    races_priced_pct: float
    """The same in percent of `races`."""
    races_closed: int
    """Races with a genuine closing line of the bookmaker: a price seen in the last 300 s before the jump."""
    races_closed_pct: float
    """The same in percent of `races`."""


class CodeCoverage(TypedDict):
    category: Category
    country: str | None
    """ISO code; null while the meeting was not confirmed."""
    races: int
    """Archived races that were not abandoned."""
    bookmakers: list[BookCoverage]
    """Every bookmaker that is collected now or has a price of these races, most priced first."""


class PriceCoverage(TypedDict):
    days: int
    """Sydney days counted, ending today."""
    from_day: Day
    """First Sydney day of the starts."""
    to_day: Day
    """Last Sydney day: today, which is partial."""
    races: int
    """Archived races of these days that were not abandoned."""
    measured: str
    """What is counted, as a sentence."""
    by_code: list[CodeCoverage]
    """By code and country, most races first."""


class CollectedBook(TypedDict):
    bookmaker: str
    """Bookmaker key."""
    title: str
    """Name of the bookmaker."""
    status: LastPoll | None
    """Outcome of the last poll or push."""
    last_ok: Instant | None
    """Time of the last successful poll or push; null if there was none."""


class CoverageOfResults(TypedDict):
    """As in `GET /v1/racing/results/coverage`, which adds days and venues."""

    days: int
    """Number of Sydney days counted."""
    from_day: Day
    """First Sydney day counted."""
    to_day: Day
    """Today in Sydney; its counts are partial."""
    coverage_from: Instant | None
    """Start of the earliest stored result (UTC)."""
    races: int
    complete: int
    """The full field is available."""
    pending: int
    """A collection pass is still to come."""
    overdue: int
    """A collection pass ran without writing the field; the collector keeps retrying."""
    unavailable: int
    """No further pass is scheduled; the field may still be written later."""
    unsupported: int
    """No registry is collected for this code and country."""
    not_applicable: int
    """The race did not run."""
    without_result: int
    """Races that started more than two hours ago and have no result; not part of `races`."""
    collectable: int
    """`races` minus `unsupported` and `not_applicable`."""
    complete_pct: float | None
    """`complete` in percent of `races`; null if there are none."""
    supported_complete_pct: float | None
    """`complete` in percent of `collectable`; null if there are none."""
    by_category: list[CategoryCoverage]
    field_scope: str
    """What is counted, as a sentence."""


class CoverageOfArchive(TypedDict):
    """As in `GET /v1/racing/closing-lines/coverage`, which adds days."""

    archive_from: Instant | None
    """Start of the first race with rows (UTC); null: there is none."""
    archive_to: Instant | None
    """Start of the last race with rows (UTC)."""
    rows: int
    """Rows, the flagged and scratched included."""
    races: int
    """Races with rows."""
    bookmakers: int
    """Bookmakers with rows."""
    is_closing_line_pct: float | None
    """Genuine closing lines, in percent of `rows`; null if there are none."""
    open_is_baseline_pct: float | None
    """Rows that begin at the 60-minute window, in percent of `rows`."""
    resulted_races_pct: float | None
    """Races that have a result, in percent of `races`."""
    results_from: Instant | None
    """Start of the first race that has a result (UTC)."""
    settleable_races: int
    """Races with rows that were not abandoned, in countries whose results are published."""
    settleable_resulted_pct: float | None
    """Of these, races that have a result, in percent."""
    results_scope: str
    """Which races can have a result, as a sentence."""
    venue_split_suspect_rows: int
    name_fragment_suspect_rows: int
    by_category: list[ArchivedCategory]
    closing_rows: int
    """Genuine closing lines."""
    resulted_rows: int
    """Rows of races that have a result."""
    scratched_rows: int
    """Rows of runners that the result has as scratched."""


class CoverageReport(TypedDict):
    as_of: Instant
    """When the report was computed (UTC)."""
    recomputed_after_s: int
    """Seconds after which it is computed again at the latest: half an hour, or a minute while a part is unavailable."""
    prices: PriceCoverage | None
    bookmakers: list[CollectedBook] | None
    """Bookmakers that are collected, by key. `status` is null before the first poll or push."""
    results: CoverageOfResults | None
    """As in `GET /v1/racing/results/coverage`, which adds days and venues."""
    archive: CoverageOfArchive | None
    """As in `GET /v1/racing/closing-lines/coverage`, which adds days."""
    unavailable: list[Unavailable]
    """The parts that are null, each with the reason."""
    bookmakers_as_of: NotRequired[Instant]
    """When the states in `bookmakers` were read (UTC): now, not with the counts, unless the database is away."""


class CountFact(TypedDict):
    value: int
    """A count."""
    as_of: Instant
    """Time of the measurement (UTC)."""
    measured: str
    """What was counted or measured, and how, as a sentence."""


class DayFact(TypedDict):
    value: Day
    """Sydney day."""
    as_of: Instant
    """Time of the measurement (UTC)."""
    measured: str
    """What was counted or measured, and how, as a sentence."""


class AmountFact(TypedDict):
    value: float
    """Percent or milliseconds, as the name of the fact states."""
    as_of: Instant
    """Time of the measurement (UTC)."""
    measured: str
    """What was counted or measured, and how, as a sentence."""


class Facts(TypedDict):
    """A fact that cannot be measured is absent, and named in `unavailable`."""

    bookmakers_collected: NotRequired[CountFact]
    races_archived: NotRequired[CountFact]
    closing_lines_archived: NotRequired[CountFact]
    prices_archived: NotRequired[CountFact]
    archive_first_day: NotRequired[DayFact]
    operations_served: NotRequired[CountFact]
    uptime_30d_pct: NotRequired[AmountFact]
    probe_latency_median_ms: NotRequired[AmountFact]


class PlatformFacts(TypedDict):
    as_of: Instant
    """When the facts were put together (UTC)."""
    recomputed_after_s: int
    """Seconds after which the facts are computed again at the latest: half an hour, or a minute while a fact is
    unavailable.
    """
    facts: Facts
    unavailable: list[Unavailable]
    """The facts that are absent, each with the reason."""


class OddsOpenEvent(TypedDict):
    event: Literal["race.odds_open"]
    """The kind of event."""
    id: str
    """Id of the event: the same in every attempt, at every webhook and in every replay. Use it to recognise
    duplicates.
    """
    occurred_at: Instant
    """When it happened (UTC)."""
    sequence: int
    """Counts the events of the race. A retry may arrive late: the highest `sequence` is the latest."""
    race_id: str
    """Stable id of the race, the same on every racing endpoint."""
    venue: str
    """Venue name as the feeds spell it."""
    race_number: int
    """Number of the race in its meeting."""
    category: Category
    country: str | None
    """ISO 3166 country code; null while the meeting’s country is not confirmed."""
    start_time: Instant
    """Advertised start (UTC); it can move."""
    bookmakers: list[str]
    """Books that quote a win price on one of its runners."""


class BestWinPrice(TypedDict):
    """As `best-odds` has it."""

    price: float
    """Decimal odds."""
    bookmaker: str
    """Bookmaker key."""


class RunnerBestWin(TypedDict):
    number: int
    """Saddlecloth or box number."""
    name: str
    best_win: BestWinPrice | None
    """As `best-odds` has it."""
    previous_price: float | None
    """The best price in the event before; null if it had none. The price has moved if it is another."""


class OddsChangeEvent(TypedDict):
    event: Literal["odds.change"]
    """The kind of event."""
    id: str
    """Id of the event: the same in every attempt, at every webhook and in every replay. Use it to recognise
    duplicates.
    """
    occurred_at: Instant
    """When it happened (UTC)."""
    sequence: int
    """Counts the events of the race. A retry may arrive late: the highest `sequence` is the latest."""
    race_id: str
    """Stable id of the race, the same on every racing endpoint."""
    venue: str
    """Venue name as the feeds spell it."""
    race_number: int
    """Number of the race in its meeting."""
    category: Category
    country: str | None
    """ISO 3166 country code; null while the meeting’s country is not confirmed."""
    start_time: Instant
    """Advertised start (UTC); it can move."""
    runners: list[RunnerBestWin]
    """Every runner that is not scratched, by number: the prices of the whole race, so that an event may be skipped.
    Without `best_win` no book quotes it.
    """


class ArbLeg(TypedDict):
    bookmaker: str
    """Bookmaker key."""
    selection: str
    """What to back: the team or `Draw`, `Over` or `Under`, with the line where there is one."""
    odds: float
    """Decimal odds."""


class ArbOpportunityEvent(TypedDict):
    event: Literal["arb.opportunity"]
    """The kind of event."""
    id: str
    """Id of the event: the same in every attempt, at every webhook and in every replay. Use it to recognise
    duplicates.
    """
    occurred_at: Instant
    """When it happened (UTC)."""
    sequence: int | None
    """Always null: it is not an event of a race."""
    sport: SportKey
    event_name: str
    """`home v away`."""
    event_id: str
    """Id of the match, as in `GET /v1/arb/sports`."""
    commence_time: Instant
    """Start of the match (UTC)."""
    market_type: SportMarket
    edge_pct: float
    """Profit in percent of what all legs stake together. Compared with `min_edge_pct` of the webhook."""
    confidence: NotRequired[float]
    """How far it may be trusted, 0 to 1, as in `GET /v1/arb/sports`. Absent in events of before 2026-11-28."""
    legs: list[ArbLeg]


class ArbCorrectedEvent(TypedDict):
    event: Literal["arb.corrected"]
    """The kind of event."""
    id: str
    """Id of the event: the same in every attempt, at every webhook and in every replay. Use it to recognise
    duplicates.
    """
    occurred_at: Instant
    """When it happened (UTC)."""
    sequence: int | None
    """Always null: it is not an event of a race."""
    sport: SportKey
    event_name: str
    """`home v away`."""
    event_id: str
    """Id of the match, as in `GET /v1/arb/sports`."""
    commence_time: Instant
    """Start of the match (UTC)."""
    market_type: SportMarket
    edge_pct: float
    """Profit in percent of what all legs stake together. Compared with `min_edge_pct` of the webhook."""
    confidence: NotRequired[float]
    """How far it may be trusted, 0 to 1, as in `GET /v1/arb/sports`. Absent in events of before 2026-11-28."""
    legs: list[ArbLeg]
    corrects: str
    """`id` of the `arb.opportunity`, whose members these are."""
    reason: Literal["different_matches"]
    """Its legs are prices of two matches."""


OutcomeStatus = Literal["final", "abandoned"]
"""`final`: the placings have stood for 30 minutes."""


class OutcomePlacing(TypedDict):
    position: int
    """Finishing position; dead heats share one."""
    number: int
    """Saddlecloth or box number."""
    name: str | None
    """Name of the runner; null if no book has named it."""


class PreviousOutcome(TypedDict):
    """The outcome that this one replaces."""

    status: OutcomeStatus
    placings: list[OutcomePlacing]
    """Best first; empty for an abandoned race."""


class ResultEvent(TypedDict):
    event: Literal["race.result"]
    """The kind of event."""
    id: str
    """Id of the event: the same in every attempt, at every webhook and in every replay. Use it to recognise
    duplicates.
    """
    occurred_at: Instant
    """When it happened (UTC)."""
    sequence: int
    """Counts the events of the race. A retry may arrive late: the highest `sequence` is the latest."""
    race_id: str
    """Stable id of the race, the same on every racing endpoint."""
    venue: str
    """Venue name as the feeds spell it."""
    race_number: int
    """Number of the race in its meeting."""
    category: Category
    country: str | None
    """ISO 3166 country code; null while the meeting’s country is not confirmed."""
    start_time: Instant
    """Advertised start (UTC); it can move."""
    status: OutcomeStatus
    placings: list[OutcomePlacing]
    """Best first; empty for an abandoned race."""
    status_note: str | None
    """Why, in the words of its source."""
    revision: int
    """1 for the first result of the race, then 2 and up."""
    previous: PreviousOutcome | None
    """The outcome that this one replaces."""


class ScratchingEvent(TypedDict):
    event: Literal["race.scratching"]
    """The kind of event."""
    id: str
    """Id of the event: the same in every attempt, at every webhook and in every replay. Use it to recognise
    duplicates.
    """
    occurred_at: Instant
    """When it happened (UTC)."""
    sequence: int
    """Counts the events of the race. A retry may arrive late: the highest `sequence` is the latest."""
    race_id: str
    """Stable id of the race, the same on every racing endpoint."""
    venue: str
    """Venue name as the feeds spell it."""
    race_number: int
    """Number of the race in its meeting."""
    category: Category
    country: str | None
    """ISO 3166 country code; null while the meeting’s country is not confirmed."""
    start_time: Instant
    """Advertised start (UTC); it can move."""
    scratching: Scratching


class MarketClosedEvent(TypedDict):
    event: Literal["race.market_closed"]
    """The kind of event."""
    id: str
    """Id of the event: the same in every attempt, at every webhook and in every replay. Use it to recognise
    duplicates.
    """
    occurred_at: Instant
    """When it happened (UTC)."""
    sequence: int
    """Counts the events of the race. A retry may arrive late: the highest `sequence` is the latest."""
    race_id: str
    """Stable id of the race, the same on every racing endpoint."""
    venue: str
    """Venue name as the feeds spell it."""
    race_number: int
    """Number of the race in its meeting."""
    category: Category
    country: str | None
    """ISO 3166 country code; null while the meeting’s country is not confirmed."""
    start_time: Instant
    """Advertised start (UTC); it can move."""
    market_closed_at: Instant
    """First poll at which the market was seen closed (UTC)."""
    market_state_source: str
    """Book that reports the market state."""


class StartMovedEvent(TypedDict):
    event: Literal["race.start_moved"]
    """The kind of event."""
    id: str
    """Id of the event: the same in every attempt, at every webhook and in every replay. Use it to recognise
    duplicates.
    """
    occurred_at: Instant
    """When it happened (UTC)."""
    sequence: int
    """Counts the events of the race. A retry may arrive late: the highest `sequence` is the latest."""
    race_id: str
    """Stable id of the race, the same on every racing endpoint."""
    venue: str
    """Venue name as the feeds spell it."""
    race_number: int
    """Number of the race in its meeting."""
    category: Category
    country: str | None
    """ISO 3166 country code; null while the meeting’s country is not confirmed."""
    start_time: Instant
    """Advertised start (UTC); it can move."""
    previous_start_time: Instant
    """Advertised start before (UTC); `start_time` is the new one."""


class TrackChangedEvent(TypedDict):
    event: Literal["race.track_changed"]
    """The kind of event."""
    id: str
    """Id of the event: the same in every attempt, at every webhook and in every replay. Use it to recognise
    duplicates.
    """
    occurred_at: Instant
    """When it happened (UTC)."""
    sequence: int
    """Counts the events of the race. A retry may arrive late: the highest `sequence` is the latest."""
    race_id: str
    """Stable id of the race, the same on every racing endpoint."""
    venue: str
    """Venue name as the feeds spell it."""
    race_number: int
    """Number of the race in its meeting."""
    category: Category
    country: str | None
    """ISO 3166 country code; null while the meeting’s country is not confirmed."""
    start_time: Instant
    """Advertised start (UTC); it can move."""
    track_condition: str
    """As its source states it now."""
    previous_track_condition: str
    """As it was stated before."""


class BackfillCompletedEvent(TypedDict):
    event: Literal["backfill.completed"]
    """The kind of event."""
    id: str
    """Id of the event: the same in every attempt, at every webhook and in every replay. Use it to recognise
    duplicates.
    """
    occurred_at: Instant
    """When it happened (UTC)."""
    sequence: int | None
    """Always null: it is not an event of a race."""
    job_id: str
    """Names the job."""
    label: str | None
    """As submitted."""
    submitted_at: Instant
    """When the job was submitted (UTC)."""
    total: int
    """Horses of the job."""
    done: int
    """Delivered."""
    failed: int
    """Three reads within an hour brought no page. Free."""
    credits_charged: int
    """3 for each delivered horse."""


class AccountPaymentFailedEvent(TypedDict):
    event: Literal["account.payment_failed"]
    """The kind of event."""
    id: str
    """Id of the event: the same in every attempt, at every webhook and in every replay. Use it to recognise
    duplicates.
    """
    occurred_at: Instant
    """When it happened (UTC)."""
    sequence: int | None
    """Always null: it is not an event of a race."""
    plan: str
    """Plan of the account."""
    unpaid_since: Instant
    """When the first unpaid invoice was issued (UTC)."""
    plan_ends_at: Instant
    """When the plan ends if the invoice is still not paid (UTC)."""


class AccountPlanChangedEvent(TypedDict):
    event: Literal["account.plan_changed"]
    """The kind of event."""
    id: str
    """Id of the event: the same in every attempt, at every webhook and in every replay. Use it to recognise
    duplicates.
    """
    occurred_at: Instant
    """When it happened (UTC)."""
    sequence: int | None
    """Always null: it is not an event of a race."""
    plan: str
    """Plan of the account."""
    previous_plan: str
    """The plan before."""
    unpaid_since: Instant | None
    """If the plan ended because an invoice is not paid: when it was issued (UTC). Otherwise null."""


class AccountCreditsUsedEvent(TypedDict):
    event: Literal["account.credits_used"]
    """The kind of event."""
    id: str
    """Id of the event: the same in every attempt, at every webhook and in every replay. Use it to recognise
    duplicates.
    """
    occurred_at: Instant
    """When it happened (UTC)."""
    sequence: int | None
    """Always null: it is not an event of a race."""
    threshold_pct: Literal[80, 100]
    """The threshold that was reached, in percent of the included credits."""
    month: str
    """The UTC month, `YYYY-MM`."""
    plan: str
    """Plan of the account."""
    credits_used: int
    """Credits used in the month, overage apart."""
    credits_included: int
    """Credits of the plan and granted ones. Use beyond them is overage, or refused (402)."""
    overage: bool
    """Whether overage is switched on."""
    resets_at: Instant
    """When the next month begins (UTC)."""


class AccountOverageBegunEvent(TypedDict):
    event: Literal["account.overage_begun"]
    """The kind of event."""
    id: str
    """Id of the event: the same in every attempt, at every webhook and in every replay. Use it to recognise
    duplicates.
    """
    occurred_at: Instant
    """When it happened (UTC)."""
    sequence: int | None
    """Always null: it is not an event of a race."""
    month: str
    """The UTC month, `YYYY-MM`."""
    plan: str
    """Plan of the account."""
    overage_credits: int
    """Credits used beyond the allowance when it was found."""


class AccountOverageEndedEvent(TypedDict):
    event: Literal["account.overage_ended"]
    """The kind of event."""
    id: str
    """Id of the event: the same in every attempt, at every webhook and in every replay. Use it to recognise
    duplicates.
    """
    occurred_at: Instant
    """When it happened (UTC)."""
    sequence: int | None
    """Always null: it is not an event of a race."""
    unpaid_month: str
    """The UTC month of the overage that is not paid, `YYYY-MM`."""
    invoiced_at: Instant | None
    """When it was invoiced (UTC). Null: it could not be invoiced."""


class AccountKeyRotatedEvent(TypedDict):
    event: Literal["account.key_rotated"]
    """The kind of event."""
    id: str
    """Id of the event: the same in every attempt, at every webhook and in every replay. Use it to recognise
    duplicates.
    """
    occurred_at: Instant
    """When it happened (UTC)."""
    sequence: int | None
    """Always null: it is not an event of a race."""
    key_id: str
    """Names the key, as in `GET /v1/keys/team`; stays when the key is replaced."""
    last4: str
    """The last four characters of the new key."""
    previous_valid_until: Instant | None
    """Until when the key before it works (UTC). Null: it does not work any more."""


class AccountKeyRevealedEvent(TypedDict):
    event: Literal["account.key_revealed"]
    """The kind of event."""
    id: str
    """Id of the event: the same in every attempt, at every webhook and in every replay. Use it to recognise
    duplicates.
    """
    occurred_at: Instant
    """When it happened (UTC)."""
    sequence: int | None
    """Always null: it is not an event of a race."""
    key_id: str
    """Names the key, as in `GET /v1/keys/team`; stays when the key is replaced."""
    last4: str
    """The last four characters of the new key."""
    previous_valid_until: Instant | None
    """Until when the key before it works (UTC). Null: it does not work any more."""


class AccountKeyAddedEvent(TypedDict):
    event: Literal["account.key_added"]
    """The kind of event."""
    id: str
    """Id of the event: the same in every attempt, at every webhook and in every replay. Use it to recognise
    duplicates.
    """
    occurred_at: Instant
    """When it happened (UTC)."""
    sequence: int | None
    """Always null: it is not an event of a race."""
    key_id: str
    """Names the key, as in `GET /v1/keys/team`; stays when the key is replaced."""
    last4: str
    """The last four characters of the key."""


class AccountKeyDeletedEvent(TypedDict):
    event: Literal["account.key_deleted"]
    """The kind of event."""
    id: str
    """Id of the event: the same in every attempt, at every webhook and in every replay. Use it to recognise
    duplicates.
    """
    occurred_at: Instant
    """When it happened (UTC)."""
    sequence: int | None
    """Always null: it is not an event of a race."""
    key_id: str
    """Names the key, as in `GET /v1/keys/team`; stays when the key is replaced."""
    last4: str
    """The last four characters of the key."""


class AccountKeyAddressesChangedEvent(TypedDict):
    event: Literal["account.key_addresses_changed"]
    """The kind of event."""
    id: str
    """Id of the event: the same in every attempt, at every webhook and in every replay. Use it to recognise
    duplicates.
    """
    occurred_at: Instant
    """When it happened (UTC)."""
    sequence: int | None
    """Always null: it is not an event of a race."""
    key_id: str
    """Names the key, as in `GET /v1/keys/team`; stays when the key is replaced."""
    last4: str
    """The last four characters of the key."""
    is_restricted: bool
    """False: every address may use the key."""


class AccountPasswordChangedEvent(TypedDict):
    event: Literal["account.password_changed"]
    """The kind of event."""
    id: str
    """Id of the event: the same in every attempt, at every webhook and in every replay. Use it to recognise
    duplicates.
    """
    occurred_at: Instant
    """When it happened (UTC)."""
    sequence: int | None
    """Always null: it is not an event of a race."""


class AccountEmailChangedEvent(TypedDict):
    event: Literal["account.email_changed"]
    """The kind of event."""
    id: str
    """Id of the event: the same in every attempt, at every webhook and in every replay. Use it to recognise
    duplicates.
    """
    occurred_at: Instant
    """When it happened (UTC)."""
    sequence: int | None
    """Always null: it is not an event of a race."""
    is_undo: bool
    """Whether an earlier address took a change back."""


class AccountNewBrowserEvent(TypedDict):
    event: Literal["account.new_browser"]
    """The kind of event."""
    id: str
    """Id of the event: the same in every attempt, at every webhook and in every replay. Use it to recognise
    duplicates.
    """
    occurred_at: Instant
    """When it happened (UTC)."""
    sequence: int | None
    """Always null: it is not an event of a race."""
    browser: str | None
    """Browser and system, such as `Firefox on Windows`. Null: unknown."""


class AccountPasskeyAddedEvent(TypedDict):
    event: Literal["account.passkey_added"]
    """The kind of event."""
    id: str
    """Id of the event: the same in every attempt, at every webhook and in every replay. Use it to recognise
    duplicates.
    """
    occurred_at: Instant
    """When it happened (UTC)."""
    sequence: int | None
    """Always null: it is not an event of a race."""
    passkey_id: str
    """Id of the passkey."""


class AccountPasskeyRemovedEvent(TypedDict):
    event: Literal["account.passkey_removed"]
    """The kind of event."""
    id: str
    """Id of the event: the same in every attempt, at every webhook and in every replay. Use it to recognise
    duplicates.
    """
    occurred_at: Instant
    """When it happened (UTC)."""
    sequence: int | None
    """Always null: it is not an event of a race."""
    passkey_id: str
    """Id of the passkey."""


class AccountPasskeyRefusedEvent(TypedDict):
    event: Literal["account.passkey_refused"]
    """The kind of event."""
    id: str
    """Id of the event: the same in every attempt, at every webhook and in every replay. Use it to recognise
    duplicates.
    """
    occurred_at: Instant
    """When it happened (UTC)."""
    sequence: int | None
    """Always null: it is not an event of a race."""
    passkey_id: str
    """Id of the passkey."""


class AccountWebhookDisabledEvent(TypedDict):
    event: Literal["account.webhook_disabled"]
    """The kind of event."""
    id: str
    """Id of the event: the same in every attempt, at every webhook and in every replay. Use it to recognise
    duplicates.
    """
    occurred_at: Instant
    """When it happened (UTC)."""
    sequence: int | None
    """Always null: it is not an event of a race."""
    webhook_id: str
    """`id` of the webhook."""
    reason: Literal["gone", "failing"]
    """`gone`: its receiver responded with 410. `failing`: attempts failed for five days."""


class AccountWidgetNearLimitEvent(TypedDict):
    event: Literal["account.widget_near_limit"]
    """The kind of event."""
    id: str
    """Id of the event: the same in every attempt, at every webhook and in every replay. Use it to recognise
    duplicates.
    """
    occurred_at: Instant
    """When it happened (UTC)."""
    sequence: int | None
    """Always null: it is not an event of a race."""
    month: str
    """The UTC month, `YYYY-MM`."""
    widget_id: str
    """`id` of the widget."""
    fills: int
    """Fills in the month when it was found."""
    max_fills_per_month: int
    """Its limit."""


class TestEvent(TypedDict):
    event: str
    """Always `odds.change`."""
    test: Literal[True]
    """No real event has it."""
    sent_at: Instant
    """When the test was requested (UTC)."""
    message: str
    """What it is."""


class RacingChangesStreamFilters(TypedDict, total=False):
    """Parameters of: Changes as they happen, as server-sent events."""

    categories: Sequence[Category]
    """Only these codes, comma-separated. Default: all."""
    category: Sequence[Category]
    """Alias of `categories`. If both are sent, they must agree."""
    country: Sequence[str]
    """ISO 3166 country codes, comma-separated, e.g. `AU,NZ`. Without `include_unresolved`, any value excludes races
    whose country is unknown.
    """
    include_unresolved: bool
    """Whether to include races whose `country` is not known yet; also beside `country`."""


RacingReplayFilters = TypedDict(
    "RacingReplayFilters",
    {
        "from": "str | _date | _datetime",
        "to": "str | _date | _datetime",
        "date": "str | _date",
        "venue": "str",
        "categories": "Sequence[Category]",
        "category": "Sequence[Category]",
        "country": "Sequence[str]",
        "race_id": "str",
        "bookmakers": "Sequence[Bookmaker]",
        "speed": "str",
    },
    total=False,
)
"""Parameters of: Past races as they happened, as server-sent events or NDJSON.

from: First race start: a Sydney day, or an instant with its UTC offset. Sent with `to`.
to: Last race start, included: a Sydney day, or an instant with its UTC offset. Sent with `from`.
date: One meeting day (`meeting_date_aet`), also of races after midnight. Cannot be combined with `from` or `to`.
venue: One venue: the whole `venue` of the rows, case-insensitive.
categories: Only these codes, comma-separated. Default: all.
category: Alias of `categories`. If both are sent, they must agree.
country: ISO 3166 country codes, comma-separated, e.g. `AU,NZ`. Any value excludes races whose country is unknown.
race_id: One race.
bookmakers: Only these bookmakers, comma-separated; keys of retired and of some foreign bookmakers are accepted.
Default: all.
speed: How much faster than race time, 1 to 1000, or `max`: as fast as you read. Default: 1.
"""


WebhookEvent = Union[
    "OddsOpenEvent",
    "OddsChangeEvent",
    "ArbOpportunityEvent",
    "ArbCorrectedEvent",
    "ResultEvent",
    "ScratchingEvent",
    "MarketClosedEvent",
    "StartMovedEvent",
    "TrackChangedEvent",
    "BackfillCompletedEvent",
    "AccountPaymentFailedEvent",
    "AccountPlanChangedEvent",
    "AccountCreditsUsedEvent",
    "AccountOverageBegunEvent",
    "AccountOverageEndedEvent",
    "AccountKeyRotatedEvent",
    "AccountKeyRevealedEvent",
    "AccountKeyAddedEvent",
    "AccountKeyDeletedEvent",
    "AccountKeyAddressesChangedEvent",
    "AccountPasswordChangedEvent",
    "AccountEmailChangedEvent",
    "AccountNewBrowserEvent",
    "AccountPasskeyAddedEvent",
    "AccountPasskeyRemovedEvent",
    "AccountPasskeyRefusedEvent",
    "AccountWebhookDisabledEvent",
    "AccountWidgetNearLimitEvent",
    "TestEvent",
]
"""The body of a post. Branch on `event`."""
