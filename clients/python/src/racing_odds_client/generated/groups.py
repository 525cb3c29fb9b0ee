"""A method for each operation that a key may call, and for what needs none.

Made by `npm run clients` from the OpenAPI document. Do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date as _date
from datetime import datetime as _datetime
from typing import Literal

from ..http.call import Call, Caller, Group
from . import schemas


class Racing(Group):
    """Operations of Racing."""

    def events(
        self,
        *,
        hours_ahead: int | None = None,
        date: str | _date | None = None,
        categories: Sequence[schemas.Category] | None = None,
        category: Sequence[schemas.Category] | None = None,
        country: Sequence[str] | None = None,
        include_unresolved: bool | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> list[schemas.RaceEvent]:
        """Upcoming races on the live board: `GET /v1/racing/events`.

        Every race in the requested window that is on the live board, including races that no book has priced yet:
        next to jump first, then by `race_id`. For prices, use `next-to-go` or `best-odds`. A race stays on the
        board until ten minutes after its jump. Races outside Australia and New Zealand have no track, weather,
        class or prize.

        Cost: 1 credit.

        Free and Hobby plans look 24 hours ahead, Standard 48, Plus and above 168.

        hours_ahead: How many hours ahead to look. The maximum depends on your plan, 168 at most, and is returned
        as `X-Horizon-Hours`; a request beyond it is a 403.
        date: One meeting day (Australia/Sydney), today or later; the same maximum applies to the end of the day.
        Foreign races of the day may start after it: they are included up to `X-Horizon-Hours` ahead. Cannot be
        combined with an `hours_ahead` other than its default.
        categories: Only these codes, comma-separated. Default: all.
        category: Alias of `categories`. If both are sent, they must agree.
        country: ISO 3166 country codes, comma-separated, e.g. `AU,NZ`. Without `include_unresolved`, any value
        excludes races whose country is unknown.
        include_unresolved: Whether to include races whose `country` is not known yet; also beside `country`.
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: list[schemas.RaceEvent] = self._call(
            Call(
                "GET",
                "/v1/racing/events",
                once=True,
                polled=True,
                query={
                    "hours_ahead": hours_ahead,
                    "date": date,
                    "categories": categories,
                    "category": category,
                    "country": country,
                    "include_unresolved": include_unresolved,
                },
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def next_to_go(
        self,
        *,
        num_races: int | None = None,
        hours_ahead: int | None = None,
        date: str | _date | None = None,
        categories: Sequence[schemas.Category] | None = None,
        category: Sequence[schemas.Category] | None = None,
        country: Sequence[str] | None = None,
        venue: Sequence[str] | None = None,
        bookmakers: Sequence[schemas.Bookmaker] | None = None,
        include_unresolved: bool | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> list[schemas.NextRace]:
        """Next races to jump, with every book’s prices: `GET /v1/racing/next-to-go`.

        Races that are still to jump and that at least one of the selected books prices, next to jump first, then
        by `race_id`. All countries by default. Scratched runners are listed only in `scratchings`. Races outside
        Australia and New Zealand have no track, weather, class or prize, and their runners no barrier, jockey,
        trainer, weight or form.

        Cost: 2 credits for up to 20 races, 3 for 21 to 60, 4 for 61 to 200; keys issued before 2026-09-22 pay 2.

        Free and Hobby plans look 24 hours ahead, Standard 48, Plus and above 168.

        num_races: Maximum number of races to return, next to jump first.
        hours_ahead: How many hours ahead to look. The maximum depends on your plan, 168 at most, and is returned
        as `X-Horizon-Hours`; a request beyond it is a 403.
        date: One meeting day (Australia/Sydney), today or later; the same maximum applies to the end of the day.
        Foreign races of the day may start after it: they are included up to `X-Horizon-Hours` ahead. Cannot be
        combined with an `hours_ahead` other than its default.
        categories: Only these codes, comma-separated. Default: all.
        category: Alias of `categories`. If both are sent, they must agree.
        country: ISO 3166 country codes, comma-separated, e.g. `AU,NZ`. Without `include_unresolved`, any value
        excludes races whose country is unknown.
        venue: Venue names, comma-separated, case-insensitive, in any of the `spellings` that `GET
        /v1/racing/venues` lists.
        bookmakers: Only these bookmakers, comma-separated; keys of retired and of some foreign bookmakers are
        accepted. Default: all.
        include_unresolved: Whether to include races whose `country` is not known yet; also beside `country`.
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: list[schemas.NextRace] = self._call(
            Call(
                "GET",
                "/v1/racing/next-to-go",
                once=True,
                polled=True,
                query={
                    "num_races": num_races,
                    "hours_ahead": hours_ahead,
                    "date": date,
                    "categories": categories,
                    "category": category,
                    "country": country,
                    "venue": venue,
                    "bookmakers": bookmakers,
                    "include_unresolved": include_unresolved,
                },
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def best_odds(
        self,
        *,
        hours_ahead: int | None = None,
        date: str | _date | None = None,
        num_races: int | None = None,
        limit: int | None = None,
        categories: Sequence[schemas.Category] | None = None,
        category: Sequence[schemas.Category] | None = None,
        venue: Sequence[str] | None = None,
        bookmakers: Sequence[schemas.Bookmaker] | None = None,
        country: Sequence[str] | None = None,
        include_unresolved: bool | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> list[schemas.BestOddsRace]:
        """Best price per runner across books: `GET /v1/racing/best-odds`.

        The best win, place and Same Race Multi price of every runner across the books compared, without
        placeholder quotes: next to jump first, then by `race_id`. Prices are compared at most every 20 seconds;
        ages are computed when the response is served. In Hong Kong only win and place are compared. `limit` is an
        alias of `num_races`. If both are sent, `limit` wins.

        Cost: 3 credits.

        Free and Hobby plans look 24 hours ahead, Standard 48, Plus and above 168.

        hours_ahead: How many hours ahead to look. The maximum depends on your plan, 168 at most, and is returned
        as `X-Horizon-Hours`; a request beyond it is a 403.
        date: One meeting day (Australia/Sydney), today or later; the same maximum applies to the end of the day.
        Foreign races of the day may start after it: they are included up to `X-Horizon-Hours` ahead. Cannot be
        combined with an `hours_ahead` other than its default.
        num_races: Maximum number of races to return, next to jump first.
        limit: Alias of `num_races`. If both are sent, `limit` wins.
        categories: Only these codes, comma-separated. Default: all.
        category: Alias of `categories`. If both are sent, they must agree.
        venue: Venue names, comma-separated, case-insensitive, in any of the `spellings` that `GET
        /v1/racing/venues` lists.
        bookmakers: Only these bookmakers, comma-separated; keys of retired and of some foreign bookmakers are
        accepted. Default: all.
        country: ISO 3166 country codes, comma-separated, e.g. `AU,NZ`. Without `include_unresolved`, any value
        excludes races whose country is unknown.
        include_unresolved: Whether to include races whose `country` is not known yet; also beside `country`.
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: list[schemas.BestOddsRace] = self._call(
            Call(
                "GET",
                "/v1/racing/best-odds",
                once=True,
                polled=True,
                query={
                    "hours_ahead": hours_ahead,
                    "date": date,
                    "num_races": num_races,
                    "limit": limit,
                    "categories": categories,
                    "category": category,
                    "venue": venue,
                    "bookmakers": bookmakers,
                    "country": country,
                    "include_unresolved": include_unresolved,
                },
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def consensus(
        self,
        *,
        race_id: str | None = None,
        venue: str | None = None,
        meeting_date: str | _date | None = None,
        race_number: int | None = None,
        method: schemas.Normalisation | None = None,
        bookmakers: Sequence[schemas.Bookmaker] | None = None,
        min_books: int | None = None,
        include_stale: bool | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> schemas.Consensus:
        """Consensus price of every runner in one race: `GET /v1/racing/consensus`.

        The win probability of every runner with the bookmakers’ margins removed: the median over the books that
        price the complete field, each counted once. The response also lists the books that are excluded, with the
        reason, and every quote behind the figures. A race is available until ten minutes after the jump, with a
        `note` once it has jumped. Charged only if the race is found.

        Cost: 3 credits.

        race_id: Id of the race: the unambiguous way to select it. If it is sent, `venue`, `meeting_date` and
        `race_number` are ignored.
        venue: Venue name, case-insensitive, in any of the `spellings` that `GET /v1/racing/venues` lists. Without
        `race_id`, `meeting_date` and `race_number` are required too.
        meeting_date: Meeting day (Australia/Sydney). See `venue`.
        race_number: Number of the race in its meeting. See `venue`.
        method: How each book’s margin is removed.
        bookmakers: Only these bookmakers, comma-separated; keys of retired and of some foreign bookmakers are
        accepted. Default: all.
        min_books: Minimum number of included books for a runner to have a consensus.
        include_stale: Whether to include stale books in the consensus instead of listing them in
        `books_excluded`.
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: schemas.Consensus = self._call(
            Call(
                "GET",
                "/v1/racing/consensus",
                once=True,
                polled=True,
                query={
                    "race_id": race_id,
                    "venue": venue,
                    "meeting_date": meeting_date,
                    "race_number": race_number,
                    "method": method,
                    "bookmakers": bookmakers,
                    "min_books": min_books,
                    "include_stale": include_stale,
                },
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def intelligence(
        self,
        *,
        race_id: str | None = None,
        venue: str | None = None,
        meeting_date: str | _date | None = None,
        race_number: int | None = None,
        min_books: int | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> schemas.Intelligence:
        """How the market moved on one race: `GET /v1/racing/intelligence`.

        For each runner: the consensus price now and at fixed marks over the last hour, how many books moved,
        which book moved first if the poll times can show it, and a one-word signal. Marks count back from the
        advertised start, even if the race jumps late. A race is available until ten minutes after the jump, with
        a `note` once it has jumped. Charged only if the race is found.

        Cost: 3 credits.

        race_id: Id of the race: the unambiguous way to select it. If it is sent, `venue`, `meeting_date` and
        `race_number` are ignored.
        venue: Venue name, case-insensitive, in any of the `spellings` that `GET /v1/racing/venues` lists. Without
        `race_id`, `meeting_date` and `race_number` are required too.
        meeting_date: Meeting day (Australia/Sydney). See `venue`.
        race_number: Number of the race in its meeting. See `venue`.
        min_books: Minimum number of books in the consensus, now and at each mark, for a runner to have one.
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: schemas.Intelligence = self._call(
            Call(
                "GET",
                "/v1/racing/intelligence",
                once=True,
                polled=True,
                query={
                    "race_id": race_id,
                    "venue": venue,
                    "meeting_date": meeting_date,
                    "race_number": race_number,
                    "min_books": min_books,
                },
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def intelligence_scan(
        self,
        *,
        window: schemas.ScanWindow | None = None,
        min_move_pct: float | None = None,
        min_books: int | None = None,
        direction: schemas.Direction | None = None,
        signal: Sequence[schemas.Signal] | None = None,
        country: Sequence[str] | None = None,
        categories: Sequence[schemas.Category] | None = None,
        category: Sequence[schemas.Category] | None = None,
        limit: int | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> schemas.IntelligenceScan:
        """Scan every race in the capture window for moving runners: `GET /v1/racing/intelligence/scan`.

        Analyses every race within 60 minutes of its advertised start, as `GET /v1/racing/intelligence` does for
        one race, and returns the runners that pass the filters, largest move first. Races that have jumped are
        not scanned. Requests with the same filters share one response for 15 seconds.

        Cost: 5 credits.

        Requires the Plus plan or above.

        window: Which move to filter and sort by: `60m` is `move_from_t60_pct`, `15m` is `move_from_t15_pct`, `5m`
        is `move_last_5m_pct`.
        min_move_pct: Minimum move of the consensus price in either direction, in percent, compared after rounding
        to the displayed figure.
        min_books: Minimum number of books with two or more captured prices on the runner.
        direction: Only moves in this direction. Default: both.
        signal: Only these signals, comma-separated. Default: all.
        country: ISO 3166 country codes, comma-separated, e.g. `AU,NZ`. Any value excludes races whose country is
        unknown.
        categories: Only these codes, comma-separated. Default: all.
        category: Alias of `categories`. If both are sent, they must agree.
        limit: Maximum number of runners to return.
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: schemas.IntelligenceScan = self._call(
            Call(
                "GET",
                "/v1/racing/intelligence/scan",
                once=True,
                polled=True,
                query={
                    "window": window,
                    "min_move_pct": min_move_pct,
                    "min_books": min_books,
                    "direction": direction,
                    "signal": signal,
                    "country": country,
                    "categories": categories,
                    "category": category,
                    "limit": limit,
                },
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def movers(
        self,
        *,
        direction: schemas.Direction | None = None,
        min_move_pct: float | None = None,
        min_books: int | None = None,
        categories: Sequence[schemas.Category] | None = None,
        category: Sequence[schemas.Category] | None = None,
        country: Sequence[str] | None = None,
        include_unresolved: bool | None = None,
        max_mins_to_jump: int | None = None,
        limit: int | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> list[schemas.Mover]:
        """Runners whose price has moved before the jump: `GET /v1/racing/movers`.

        Every runner still to jump whose average price has moved since capture began, one hour before the jump:
        largest move first, in either direction. The average is over books with two or more captured prices.
        `min_books` sets the minimum number of such books; it does not require them to agree, so filter on
        `books_firming` and `books_drifting` for that. Stale quotes are ignored, and placeholder quotes never
        count towards a move.

        Cost: 3 credits.

        direction: Only moves in this direction. Default: both.
        min_move_pct: Minimum move of the average price in either direction, in percent.
        min_books: Minimum number of books with two or more captured prices on the runner.
        categories: Only these codes, comma-separated. Default: all.
        category: Alias of `categories`. If both are sent, they must agree.
        country: ISO 3166 country codes, comma-separated, e.g. `AU,NZ`. Without `include_unresolved`, any value
        excludes races whose country is unknown.
        include_unresolved: Whether to include races whose `country` is not known yet; also beside `country`.
        max_mins_to_jump: Only races that start in less than this many minutes, by advertised start.
        limit: Maximum number of runners to return.
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: list[schemas.Mover] = self._call(
            Call(
                "GET",
                "/v1/racing/movers",
                once=True,
                polled=True,
                query={
                    "direction": direction,
                    "min_move_pct": min_move_pct,
                    "min_books": min_books,
                    "categories": categories,
                    "category": category,
                    "country": country,
                    "include_unresolved": include_unresolved,
                    "max_mins_to_jump": max_mins_to_jump,
                    "limit": limit,
                },
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def changes(
        self,
        *,
        since: str | _datetime,
        categories: Sequence[schemas.Category] | None = None,
        category: Sequence[schemas.Category] | None = None,
        country: Sequence[str] | None = None,
        include_unresolved: bool | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> schemas.RacingChanges:
        """Changes since an instant: `GET /v1/racing/changes`.

        Races on the live board whose win prices, race details or scratchings changed since `since`, with the
        current values of the changed prices. To start, call this operation, fetch `next-to-go` as far ahead as
        you want to follow, then continue from the `server_time` of the first call. Send the `server_time` of each
        response as the next `since`. No change is missed, but a change near the boundary can be returned twice:
        deduplicate by (`race_id`, `name`, `bookmaker_key`, `updated_at`). A change of the place price or of a Top
        2 to 4 price alone is returned with the next change of the win price. A race stays on the board until ten
        minutes after its jump.

        Cost: 2 credits.

        since: Return changes from this instant on: the `server_time` of the previous response. At most 30 minutes
        ago, and a minute ahead. RFC 3339 with a UTC offset, such as `2026-11-21T16:20:00+11:00`; digits beyond
        milliseconds are ignored.
        categories: Only these codes, comma-separated. Default: all.
        category: Alias of `categories`. If both are sent, they must agree.
        country: ISO 3166 country codes, comma-separated, e.g. `AU,NZ`. Without `include_unresolved`, any value
        excludes races whose country is unknown.
        include_unresolved: Whether to include races whose `country` is not known yet; also beside `country`.
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: schemas.RacingChanges = self._call(
            Call(
                "GET",
                "/v1/racing/changes",
                once=True,
                query={
                    "since": since,
                    "categories": categories,
                    "category": category,
                    "country": country,
                    "include_unresolved": include_unresolved,
                },
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def track_conditions(
        self,
        *,
        date: str | _date | None = None,
        venue: str | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> schemas.TrackConditions:
        """A day’s track conditions and how they changed: `GET /v1/racing/track-conditions`.

        One entry per meeting, even if feeds spell its venue differently: the latest track state, each field with
        its feed and its time, and every logged change. The registry’s rows are the official ratings of Australian
        thoroughbred meetings. A bookmaker’s row is a change between two polls of one of its races. The same
        rating in two spellings is never a change.

        Cost: 1 credit.

        date: Meeting day (Australia/Sydney), from 2026-09-07 up to 3 days ahead. Default: today.
        venue: Only the meeting at this venue, in any spelling that the feeds use, case-insensitive. Default:
        every meeting.
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: schemas.TrackConditions = self._call(
            Call(
                "GET",
                "/v1/racing/track-conditions",
                once=True,
                polled=True,
                query={
                    "date": date,
                    "venue": venue,
                },
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def venues(
        self,
        *,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> list[schemas.Venue]:
        """Venue directory: `GET /v1/racing/venues`.

        The directory is measured: a venue is listed if a race there is on the live board, or if a race there has
        a result in the last 60 days. Ordered by `venue_id`.

        Cost: 1 credit.

        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: list[schemas.Venue] = self._call(
            Call(
                "GET",
                "/v1/racing/venues",
                once=True,
                polled=True,
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def results(
        self,
        *,
        hours_back: int | None = None,
        date: str | _date | None = None,
        categories: Sequence[schemas.Category] | None = None,
        category: Sequence[schemas.Category] | None = None,
        venue: Sequence[str] | None = None,
        country: Sequence[str] | None = None,
        status: schemas.ResultStatus | None = None,
        limit: int | None = None,
        offset: int | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> list[schemas.RaceResult]:
        """Results of recent races: `GET /v1/racing/results`.

        Placings, dividends, deductions and, if available, the full field: newest advertised start first, then by
        `race_id`. Paging never skips or repeats a row while the data does not change. Settle only on `final`, and
        on each runner’s `status`. A `country` filter excludes results whose country is unknown. A country without
        a results feed (HK) has no rows.

        Cost: 2 credits.

        hours_back: How many hours back to look, by advertised start. Results begin on 2026-08-15.
        date: One meeting day (Australia/Sydney), 2026-08-15 or later. Cannot be combined with an `hours_back`
        other than 24.
        categories: Only these codes, comma-separated. Default: all.
        category: Alias of `categories`. If both are sent, they must agree.
        venue: Venue names, comma-separated, case-insensitive, in any of the `spellings` that `GET
        /v1/racing/venues` lists.
        country: ISO 3166 country codes, comma-separated, e.g. `AU,NZ`. Any value excludes races whose country is
        unknown.
        status: Only results with this status. Default: all.
        limit: Maximum number of rows per page.
        offset: Number of rows to skip.
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: list[schemas.RaceResult] = self._call(
            Call(
                "GET",
                "/v1/racing/results",
                once=True,
                paged=True,
                polled=True,
                query={
                    "hours_back": hours_back,
                    "date": date,
                    "categories": categories,
                    "category": category,
                    "venue": venue,
                    "country": country,
                    "status": status,
                    "limit": limit,
                    "offset": offset,
                },
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def results_coverage(
        self,
        *,
        days: int | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> schemas.ResultsCoverage:
        """Completeness of results: `GET /v1/racing/results/coverage`.

        How many results of the last Sydney days have the full field, by category and by day. The counts use the
        same function that sets `field_status` on each result. `to_day` is today, so its counts are partial.
        `without_result` counts the races that started more than two hours ago and have no result: they were first
        listed too late, or no book reports them.

        Cost: 1 credit.

        days: Number of Sydney days to count, ending today.
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: schemas.ResultsCoverage = self._call(
            Call(
                "GET",
                "/v1/racing/results/coverage",
                once=True,
                polled=True,
                query={"days": days},
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def acceptances(
        self,
        *,
        date: str | _date | None = None,
        venue: Sequence[str] | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> schemas.Acceptances:
        """Acceptances for a day’s Australian thoroughbred meetings: `GET /v1/racing/acceptances`.

        Every meeting in the registry’s calendar for the day, ordered by venue. If a meeting’s acceptances are
        published, it includes the runners in saddlecloth order, the scratchings from the official sheet and from
        every reporting bookmaker, and how complete the data is. Australian thoroughbreds only.

        Cost: 2 credits.

        date: Meeting day (Australia/Sydney), up to 3 days back or ahead. Default: today.
        venue: Venue names, comma-separated, case-insensitive, in any of the `spellings` that `GET
        /v1/racing/venues` lists.
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: schemas.Acceptances = self._call(
            Call(
                "GET",
                "/v1/racing/acceptances",
                once=True,
                polled=True,
                query={
                    "date": date,
                    "venue": venue,
                },
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def form(
        self,
        *,
        race_id: str | None = None,
        venue: str | None = None,
        meeting_date: str | _date | None = None,
        race_number: int | None = None,
        runs: int | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> schemas.RaceForm:
        """Recent runs of every runner in a race: `GET /v1/racing/form`.

        The runners of the card, or of the settled field once it is available, each with its latest runs in the
        results that this service has stored. It is not a career record: nothing before `coverage_from` is
        included. A run counts if its race started before this one and has an interim or final result; a scratched
        entry is not a run. If the full field of a past race is not available, its starters are not confirmed: the
        runners of its card count unless they were scratched, and emergencies count only if they were placed. Runs
        are matched within the same code by a greyhound’s registry id, otherwise by the folded name, among the 20
        newest runs under it. Names are not unique: if two animals cannot be distinguished, `runs` is empty and
        `reason` gives the cause. Charged only if the race is found.

        Cost: 3 credits.

        race_id: Id of the race: the unambiguous way to select it. If it is sent, `venue`, `meeting_date` and
        `race_number` are ignored.
        venue: Venue name, case-insensitive, in any of the `spellings` that `GET /v1/racing/venues` lists. Without
        `race_id`, `meeting_date` and `race_number` are required too.
        meeting_date: Meeting day (Australia/Sydney). See `venue`.
        race_number: Number of the race in its meeting. See `venue`.
        runs: Maximum number of runs per runner; the latest are returned.
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: schemas.RaceForm = self._call(
            Call(
                "GET",
                "/v1/racing/form",
                once=True,
                polled=True,
                query={
                    "race_id": race_id,
                    "venue": venue,
                    "meeting_date": meeting_date,
                    "race_number": race_number,
                    "runs": runs,
                },
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def jockey_stats(
        self,
        *,
        name: str | None = None,
        state: schemas.PremiershipState | None = None,
        scope: schemas.PremiershipScope | None = None,
        season: schemas.PremiershipSeason | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> schemas.Premiership:
        """Premiership tables of jockeys: `GET /v1/racing/jockeys/stats`.

        The registry’s premiership of Australian thoroughbred jockeys: one table, or with `name` the rows of one
        jockey in every table. Only the top 20 of each table is stored, so empty `rows` means outside of it, not
        inactive. National tables are read nightly, state tables over several nights, the previous season’s about
        weekly; `period_to` dates each row. While a table that the query needs has not been read yet, the response
        is a free 503 with `Retry-After`.

        Cost: 2 credits.

        name: Any part of a name, case-insensitive. Searches the tables of every state and scope of the season,
        unless `state` or `scope` narrows it. Default: every row of one table.
        state: Only this state, or `AUS`. Default: `AUS`; with `name`: every one.
        scope: Only this kind of meeting. Default: `all`; with `name`: every one.
        season: A season is from 1 August to 31 July (Australia/Sydney).
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: schemas.Premiership = self._call(
            Call(
                "GET",
                "/v1/racing/jockeys/stats",
                once=True,
                polled=True,
                query={
                    "name": name,
                    "state": state,
                    "scope": scope,
                    "season": season,
                },
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def trainer_stats(
        self,
        *,
        name: str | None = None,
        state: schemas.PremiershipState | None = None,
        scope: schemas.PremiershipScope | None = None,
        season: schemas.PremiershipSeason | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> schemas.Premiership:
        """Premiership tables of trainers: `GET /v1/racing/trainers/stats`.

        The registry’s premiership of Australian thoroughbred trainers: one table, or with `name` the rows of one
        trainer in every table. Only the top 20 of each table is stored, so empty `rows` means outside of it, not
        inactive. National tables are read nightly, state tables over several nights, the previous season’s about
        weekly; `period_to` dates each row. While a table that the query needs has not been read yet, the response
        is a free 503 with `Retry-After`.

        Cost: 2 credits.

        name: Any part of a name, case-insensitive. Searches the tables of every state and scope of the season,
        unless `state` or `scope` narrows it. Default: every row of one table.
        state: Only this state, or `AUS`. Default: `AUS`; with `name`: every one.
        scope: Only this kind of meeting. Default: `all`; with `name`: every one.
        season: A season is from 1 August to 31 July (Australia/Sydney).
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: schemas.Premiership = self._call(
            Call(
                "GET",
                "/v1/racing/trainers/stats",
                once=True,
                polled=True,
                query={
                    "name": name,
                    "state": state,
                    "scope": scope,
                    "season": season,
                },
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def clv(
        self,
        *,
        body: schemas.ClvRequest,
        timeout: float | None = None,
    ) -> schemas.ClvReport:
        """Score bets against the closing line: `POST /v1/racing/clv`.

        Scores up to 200 win and place bets: how each price compares with the closing price, and how the bet
        settled. The closing price is the last price seen up to the jump (the market’s close if it was seen,
        otherwise the advertised start). It is a closing line if it was last seen within 300 s of the jump. A bet
        that names a bookmaker is measured against that book’s own close, any other bet against the best or the
        median close across books. `clv_pct` is `100 * (price / close_price - 1)`, before deductions. A place bet
        (`market`) is measured against place prices, which are captured with each change of the win price. Bets
        settle on the final placings, with dead heats and deductions applied. A bet that cannot be scored has a
        `reason` and is left out of the averages; it is never estimated, and the request costs the same. Closing
        prices come from captured prices, and from the archive of closing lines for races older than about 45
        days.

        Cost: 5 credits.

        Requires the Plus plan or above.

        body: What is sent.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.ClvReport = self._call(
            Call(
                "POST",
                "/v1/racing/clv",
                body=body,
                timeout=timeout,
            )
        )
        return answer

    def markets(
        self,
        *,
        race_id: str | None = None,
        venue: str | None = None,
        meeting_date: str | _date | None = None,
        race_number: int | None = None,
        bookmakers: Sequence[schemas.Bookmaker] | None = None,
        markets: Sequence[schemas.MarketName] | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> schemas.RaceMarkets:
        """Every market on one race: `GET /v1/racing/markets`.

        Win, place, Top 2, Top 3 and Top 4: each book’s quote on each runner and the best of them, by the rules of
        `best-odds`. Once the race has a result, its exotic dividends are included with the status of the result;
        settle on them only when it is `final`. A race that has left the live board is returned with its last
        stored prices: each keeps its true age, and none is marked as live. Charged only if the race is found.

        Cost: 2 credits.

        Requires the Plus plan or above. Standard keys issued before 2026-09-20 keep access.

        race_id: Id of the race: the unambiguous way to select it. If it is sent, `venue`, `meeting_date` and
        `race_number` are ignored.
        venue: Venue name, case-insensitive, in any of the `spellings` that `GET /v1/racing/venues` lists. Without
        `race_id`, `meeting_date` and `race_number` are required too.
        meeting_date: Meeting day (Australia/Sydney). See `venue`.
        race_number: Number of the race in its meeting. See `venue`.
        bookmakers: Only these bookmakers, comma-separated; keys of retired and of some foreign bookmakers are
        accepted. Default: all.
        markets: Only these markets, comma-separated. Default: all.
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: schemas.RaceMarkets = self._call(
            Call(
                "GET",
                "/v1/racing/markets",
                once=True,
                polled=True,
                query={
                    "race_id": race_id,
                    "venue": venue,
                    "meeting_date": meeting_date,
                    "race_number": race_number,
                    "bookmakers": bookmakers,
                    "markets": markets,
                },
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def price_history(
        self,
        *,
        race_id: str | None = None,
        venue: str | None = None,
        race_number: int | None = None,
        date: str | _date | None = None,
        bookmakers: Sequence[schemas.Bookmaker] | None = None,
        include_points: bool | None = None,
        max_points: int | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> schemas.PriceHistory:
        """Captured prices of one race: `GET /v1/racing/price-history`.

        For each runner and book, the win prices captured from an hour before the start on, changes only, with
        open, close, high and low. Every race since capture began is available, live or past, in the same shape.
        Seconds count to the jump: the market’s close, otherwise the advertised start. Charged only if prices are
        found.

        Cost: 5 credits.

        race_id: Id of the race: the unambiguous way to select it. If it is sent, `venue`, `race_number` and
        `date` are ignored.
        venue: Venue name, case-insensitive, in any of the `spellings` that `GET /v1/racing/venues` lists. Without
        `race_id`, `race_number` and `date` are required too.
        race_number: Number of the race in its meeting. See `venue`.
        date: UTC day of the start; all other days of the API are Sydney’s. See `venue`.
        bookmakers: Only these bookmakers, comma-separated; keys of retired and of some foreign bookmakers are
        accepted. Default: all.
        include_points: Whether to return `points`; without them the response has open, close, high and low only.
        max_points: Maximum number of points of all runners and books: the latest are returned, and `truncated` is
        set.
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: schemas.PriceHistory = self._call(
            Call(
                "GET",
                "/v1/racing/price-history",
                once=True,
                polled=True,
                query={
                    "race_id": race_id,
                    "venue": venue,
                    "race_number": race_number,
                    "date": date,
                    "bookmakers": bookmakers,
                    "include_points": include_points,
                    "max_points": max_points,
                },
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def horse_form(
        self,
        *,
        horse: str,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> schemas.HorseForm:
        """Form of a thoroughbred: `GET /v1/racing/horses/form`.

        The form page of the Australian registry: profile, career and every run that it prints. A page is stored
        and served unchecked for six hours; after that it is read again if our results show a start since, or if
        it is older than seven days. While the registry cannot serve it, the last reading is returned with
        `source.stale`; without one the answer is built from our own results (`source.feed` is
        `puntersedge_results`, `profile` and `career` are null); without either it is a free 503 with
        `Retry-After`. Names are those of acceptances, collected results and stored pages: a name that was never
        seen is a free 404, because the registry is not searched by name. So is a code that no feed has reported
        and that opens no horse’s page. Charged only on a 200.

        Cost: 3 credits.

        horse: Whole name in any case, punctuation and spacing, or a `horse_ref` (`pe:…`), which is the same: the
        horse’s most recent registry code is read. Or the `ra:` code of any one meeting, with or without `ra:`.
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: schemas.HorseForm = self._call(
            Call(
                "GET",
                "/v1/racing/horses/form",
                once=True,
                polled=True,
                query={"horse": horse},
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def horse_runs(
        self,
        *,
        horse: str,
        limit: int | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> schemas.HorseRuns:
        """Stored runs of a thoroughbred: `GET /v1/racing/horses/runs`.

        The runs of a horse in the full fields that this service has collected, with their record. It is not a
        career: nothing before `coverage_from` is included. No registry is read for it. New and changed results
        are included within the hour. If two horses have raced under one name, both are returned. Facts that the
        publishing page did not print are null. Charged only if a run is found.

        Cost: 3 credits.

        horse: Whole name in any case, punctuation and spacing; a `horse_ref` (`pe:…`), which is the same; or the
        `ra:` code of one meeting, with or without `ra:`, which finds the run there.
        limit: Maximum number of runs; the latest are returned.
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: schemas.HorseRuns = self._call(
            Call(
                "GET",
                "/v1/racing/horses/runs",
                once=True,
                polled=True,
                query={
                    "horse": horse,
                    "limit": limit,
                },
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def submit_backfill(
        self,
        *,
        body: schemas.BackfillRequest,
        timeout: float | None = None,
    ) -> schemas.BackfillSubmission:
        """Order the form of many horses: `POST /v1/racing/horses/backfill`.

        Orders the form of up to 500 thoroughbreds. Pages are read from the registry one after another, accounts
        in turn, and each horse is delivered once. A horse that was never seen is in `not_found`; one with a fresh
        stored page is delivered at once. With too few credits horses stay queued, and nothing is lost. The same
        order again within ten minutes is the same job, so it may be repeated if its response was lost. A job goes
        on after a downgrade.

        Cost: 0 credits; 3 for each horse when it is delivered.

        Requires the Plus plan or above.

        body: What is sent.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.BackfillSubmission = self._call(
            Call(
                "POST",
                "/v1/racing/horses/backfill",
                body=body,
                timeout=timeout,
            )
        )
        return answer

    def backfill_status(
        self,
        *,
        job_id: str,
        timeout: float | None = None,
    ) -> schemas.BackfillStatus:
        """Where a backfill job stands: `GET /v1/racing/horses/backfill/{job_id}`.

        Counts of the job’s horses, its place in the queue of all accounts, and what stands between this service
        and the registry. Any key of the account reads its jobs.

        Cost: 0 credits.

        job_id: `job_id` of the job.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.BackfillStatus = self._call(
            Call(
                "GET",
                "/v1/racing/horses/backfill/{job_id}",
                path_values={"job_id": job_id},
                timeout=timeout,
            )
        )
        return answer

    def cancel_backfill(
        self,
        *,
        job_id: str,
        timeout: float | None = None,
    ) -> schemas.BackfillCancelled:
        """Cancel what a backfill job has not collected: `DELETE /v1/racing/horses/backfill/{job_id}`.

        Cancels the horses that are still queued; they cost nothing. Delivered horses stay readable. May be
        repeated.

        Cost: 0 credits.

        job_id: `job_id` of the job.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.BackfillCancelled = self._call(
            Call(
                "DELETE",
                "/v1/racing/horses/backfill/{job_id}",
                path_values={"job_id": job_id},
                timeout=timeout,
            )
        )
        return answer

    def backfill_results(
        self,
        *,
        job_id: str,
        limit: int | None = None,
        offset: int | None = None,
        timeout: float | None = None,
    ) -> schemas.BackfillResults:
        """What a backfill job has collected: `GET /v1/racing/horses/backfill/{job_id}/results`.

        Delivered horses, each with its form as it was when it was delivered. Rows are appended as horses are
        delivered, so the next `offset` is the number of rows you have. Reading them again costs nothing. A horse
        that the registry has no page of is a row with `available` false.

        Cost: 0 credits.

        job_id: `job_id` of the job.
        limit: Maximum number of rows per page.
        offset: Number of rows to skip.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.BackfillResults = self._call(
            Call(
                "GET",
                "/v1/racing/horses/backfill/{job_id}/results",
                paged=True,
                path_values={"job_id": job_id},
                query={
                    "limit": limit,
                    "offset": offset,
                },
                timeout=timeout,
            )
        )
        return answer

    def greyhound_form(
        self,
        *,
        dog: str,
        limit: int | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> schemas.GreyhoundForm:
        """Stored runs of a greyhound: `GET /v1/racing/greyhounds/form`.

        The runs of a dog in the full fields that this service has collected. It is not a career: nothing before
        `coverage_from` is included. A name returns the runs of every dog that raced under it; an id returns one
        dog’s, also where another registry has it under an id that is proved to be the same dog. New and changed
        results are included within the hour. Facts that the publishing page did not print are null. Charged only
        if a run is found.

        Cost: 3 credits.

        dog: Whole name in any case, punctuation and spacing; or the dog’s id in a registry, `grv:…` or `grsa:…`.
        Digits alone are a `grv:` id.
        limit: Maximum number of runs; the latest are returned.
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: schemas.GreyhoundForm = self._call(
            Call(
                "GET",
                "/v1/racing/greyhounds/form",
                once=True,
                polled=True,
                query={
                    "dog": dog,
                    "limit": limit,
                },
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def greyhound_stats(
        self,
        *,
        dog: str,
        by: Sequence[schemas.GreyhoundDimension] | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> schemas.GreyhoundStats:
        """A greyhound’s record by track, distance, box and grade: `GET /v1/racing/greyhounds/stats`.

        The starts of a dog in the full fields that this service has collected, grouped by any combination of
        track, distance, box and grade. Scratchings and reserves are not counted. It is not a career: nothing
        before `coverage_from` is included. Charged only if a run is found.

        Cost: 3 credits.

        dog: Whole name in any case, punctuation and spacing; or the dog’s id in a registry, `grv:…` or `grsa:…`.
        Digits alone are a `grv:` id.
        by: What to group by, comma-separated: `track,distance` is a group per distance of each track. Default:
        `track`.
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: schemas.GreyhoundStats = self._call(
            Call(
                "GET",
                "/v1/racing/greyhounds/stats",
                once=True,
                polled=True,
                query={
                    "dog": dog,
                    "by": by,
                },
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer


class RacingArchive(Group):
    """Operations of Racing Archive."""

    def closing_lines(
        self,
        *,
        from_: str | _date | _datetime | None = None,
        to: str | _date | _datetime | None = None,
        date: str | _date | None = None,
        venue: str | None = None,
        categories: Sequence[schemas.Category] | None = None,
        category: Sequence[schemas.Category] | None = None,
        country: Sequence[str] | None = None,
        race_id: str | None = None,
        bookmakers: Sequence[schemas.Bookmaker] | None = None,
        closing_only: bool | None = None,
        resulted_only: bool | None = None,
        include_flagged: bool | None = None,
        include_scratched: bool | None = None,
        format: schemas.ArchiveFormat | None = None,
        limit: int | None = None,
        offset: int | None = None,
        after: str | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> schemas.ClosingLines:
        """First and last prices of past races: `GET /v1/racing/closing-lines`.

        The permanent archive: one row per race, runner and bookmaker with its first and last price before the
        jump, the result and the market’s consensus. Rows are ordered by start, race, runner number and bookmaker.
        By default only genuine closing lines (last observed within 300 s of the jump), without rows that may be
        contaminated and without scratched runners.

        Cost: 5 credits as JSON, 20 as CSV or Parquet.

        Requires the Plus plan or above. Standard keys see the last 90 days. Standard keys issued before
        2026-09-20 keep access. The 403 of other keys has a `sample` of rows.

        from_: First race start: a Sydney day, or an instant with its UTC offset. Default: the first race of the
        archive.
        to: Last race start, included: a Sydney day, which ends at midnight, or an instant with its UTC offset.
        Default: now.
        date: One meeting day (`meeting_date_aet`), also of races after midnight. Cannot be combined with `from`
        or `to`.
        venue: One venue: the whole `venue` of the rows, case-insensitive.
        categories: Only these codes, comma-separated. Default: all.
        category: Alias of `categories`. If both are sent, they must agree.
        country: ISO 3166 country codes, comma-separated, e.g. `AU,NZ`. Any value excludes races whose country is
        unknown.
        race_id: One race.
        bookmakers: Only these bookmakers, comma-separated; keys of retired and of some foreign bookmakers are
        accepted. Default: all.
        closing_only: Only genuine closing lines. Send `false` for last-seen prices too.
        resulted_only: Only races that have a result.
        include_flagged: Whether to include rows with `venue_split_suspect` or `name_fragment_suspect`.
        include_scratched: Whether to include runners that the result has as scratched.
        format: The format; it overrides the header `Accept`. Without it the response is JSON, unless `Accept`
        names only the media type of another format. All have the same columns in the same order; new columns are
        appended.
        limit: Maximum number of rows. JSON has 500 by default and 5000 at most; the other formats have all rows
        by default, and 50000 at most. The header `Link` names the next page.
        offset: Number of rows to skip. A page far into the archive takes no longer than the first.
        after: Where the next page begins: a value of the header `Link`, which has the whole address. Pages that
        follow each other by it repeat and skip no row, also while races are archived. Cannot be combined with
        `offset`.
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: schemas.ClosingLines = self._call(
            Call(
                "GET",
                "/v1/racing/closing-lines",
                once=True,
                paged=True,
                polled=True,
                query={
                    "from": from_,
                    "to": to,
                    "date": date,
                    "venue": venue,
                    "categories": categories,
                    "category": category,
                    "country": country,
                    "race_id": race_id,
                    "bookmakers": bookmakers,
                    "closing_only": closing_only,
                    "resulted_only": resulted_only,
                    "include_flagged": include_flagged,
                    "include_scratched": include_scratched,
                    "format": format,
                    "limit": limit,
                    "offset": offset,
                    "after": after,
                },
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def closing_lines_coverage(
        self,
        *,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> schemas.ArchiveCoverage:
        """What the archive of closing lines has: `GET /v1/racing/closing-lines/coverage`.

        Range, rows, races and books of the whole archive, how many rows are genuine closing lines and have a
        result, and day by day how many races ran, are archived, and have no close, by reason. For all plans.

        Cost: 1 credit.

        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: schemas.ArchiveCoverage = self._call(
            Call(
                "GET",
                "/v1/racing/closing-lines/coverage",
                once=True,
                polled=True,
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def market_summary(
        self,
        *,
        from_: str | _date | _datetime | None = None,
        to: str | _date | _datetime | None = None,
        date: str | _date | None = None,
        venue: str | None = None,
        categories: Sequence[schemas.Category] | None = None,
        category: Sequence[schemas.Category] | None = None,
        country: Sequence[str] | None = None,
        race_id: str | None = None,
        signal: Sequence[schemas.Signal] | None = None,
        format: schemas.ArchiveFormat | None = None,
        limit: int | None = None,
        offset: int | None = None,
        after: str | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> schemas.MarketSummaries:
        """How the market moved, per past race and runner: `GET /v1/racing/market-summary`.

        The permanent form of `intelligence`: one row per race and runner with the consensus at the marks and at
        the close, the moves, the first mover and the best closing price. Scratched runners have no row. Rows are
        ordered by start, race and runner number; rows of races or runners that may be contaminated are left out.

        Cost: 5 credits as JSON, 20 as CSV or Parquet.

        Requires the Plus plan or above. Standard keys see the last 90 days. Standard keys issued before
        2026-09-20 keep access. The 403 of other keys has a `sample` of rows.

        from_: First race start: a Sydney day, or an instant with its UTC offset. Default: the first race with a
        summary.
        to: Last race start, included: a Sydney day, which ends at midnight, or an instant with its UTC offset.
        Default: now.
        date: One meeting day (`meeting_date_aet`), also of races after midnight. Cannot be combined with `from`
        or `to`.
        venue: One venue: the whole `venue` of the rows, case-insensitive.
        categories: Only these codes, comma-separated. Default: all.
        category: Alias of `categories`. If both are sent, they must agree.
        country: ISO 3166 country codes, comma-separated, e.g. `AU,NZ`. Any value excludes races whose country is
        unknown.
        race_id: One race.
        signal: Only these signals, comma-separated. Default: all.
        format: The format; it overrides the header `Accept`. Without it the response is JSON, unless `Accept`
        names only the media type of another format. All have the same columns in the same order; new columns are
        appended.
        limit: Maximum number of rows. JSON has 500 by default and 5000 at most; the other formats have all rows
        by default, and 50000 at most. The header `Link` names the next page.
        offset: Number of rows to skip. A page far into the archive takes no longer than the first.
        after: Where the next page begins: a value of the header `Link`, which has the whole address. Pages that
        follow each other by it repeat and skip no row, also while races are archived. Cannot be combined with
        `offset`.
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: schemas.MarketSummaries = self._call(
            Call(
                "GET",
                "/v1/racing/market-summary",
                once=True,
                paged=True,
                polled=True,
                query={
                    "from": from_,
                    "to": to,
                    "date": date,
                    "venue": venue,
                    "categories": categories,
                    "category": category,
                    "country": country,
                    "race_id": race_id,
                    "signal": signal,
                    "format": format,
                    "limit": limit,
                    "offset": offset,
                    "after": after,
                },
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def price_paths(
        self,
        *,
        from_: str | _date | _datetime | None = None,
        to: str | _date | _datetime | None = None,
        date: str | _date | None = None,
        venue: str | None = None,
        categories: Sequence[schemas.Category] | None = None,
        category: Sequence[schemas.Category] | None = None,
        country: Sequence[str] | None = None,
        race_id: str | None = None,
        bookmakers: Sequence[schemas.Bookmaker] | None = None,
        include_flagged: bool | None = None,
        format: schemas.PathFormat | None = None,
        limit: int | None = None,
        offset: int | None = None,
        after: str | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> schemas.PricePaths:
        """Every captured price of past races: `GET /v1/racing/price-paths`.

        The permanent archive: one row per race, runner, bookmaker and captured price, changes only: a price stood
        until the next row of its series. Rows are ordered by start, race, runner number, bookmaker and instant.
        Without `race_id` or `date`, `from` to `to` is at most seven days. Scratched runners are included, marked
        as `scratched`. The seconds of an abandoned race count to its advertised start.

        Cost: 5 credits as JSON, 20 as CSV or Parquet.

        Requires the Plus plan or above. Standard keys issued before 2026-09-20 keep access. The 403 of other keys
        has a `sample` of rows.

        from_: First race start: a Sydney day, or an instant with its UTC offset. Default: seven days before `to`.
        to: Last race start, included: a Sydney day, which ends at midnight, or an instant with its UTC offset.
        Default: now.
        date: One meeting day (`meeting_date_aet`), also of races after midnight. Cannot be combined with `from`
        or `to`.
        venue: One venue: the whole `venue` of the rows, case-insensitive.
        categories: Only these codes, comma-separated. Default: all.
        category: Alias of `categories`. If both are sent, they must agree.
        country: ISO 3166 country codes, comma-separated, e.g. `AU,NZ`. Any value excludes races whose country is
        unknown.
        race_id: One race.
        bookmakers: Only these bookmakers, comma-separated; keys of retired and of some foreign bookmakers are
        accepted. Default: all.
        include_flagged: Whether to include rows with `venue_split_suspect` or `name_fragment_suspect`.
        format: The format; it overrides the header `Accept`. Without it the response is JSON, unless `Accept`
        names only the media type of another format. All have the same columns in the same order; new columns are
        appended.
        limit: Maximum number of rows. JSON has 1000 by default and 5000 at most; the other formats have all rows
        by default, and 200000 at most. The header `Link` names the next page.
        offset: Number of rows to skip. A page far into the archive takes no longer than the first.
        after: Where the next page begins: a value of the header `Link`, which has the whole address. Pages that
        follow each other by it repeat and skip no row, also while races are archived. Cannot be combined with
        `offset`.
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: schemas.PricePaths = self._call(
            Call(
                "GET",
                "/v1/racing/price-paths",
                once=True,
                paged=True,
                polled=True,
                query={
                    "from": from_,
                    "to": to,
                    "date": date,
                    "venue": venue,
                    "categories": categories,
                    "category": category,
                    "country": country,
                    "race_id": race_id,
                    "bookmakers": bookmakers,
                    "include_flagged": include_flagged,
                    "format": format,
                    "limit": limit,
                    "offset": offset,
                    "after": after,
                },
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer


class Bulk(Group):
    """Operations of Bulk."""

    def datasets(
        self,
        *,
        dataset: schemas.BulkDatasetName | None = None,
        limit: int | None = None,
        offset: int | None = None,
        timeout: float | None = None,
    ) -> schemas.BulkDatasets:
        """Catalogue of bulk files: `GET /v1/bulk/datasets`.

        The datasets with their columns, and the periods that have files: whole Sydney days and calendar months,
        the newest first. The files of a day are built six hours after its end; they are built again, at most once
        a day, when rows of that day have changed. The files of a month follow when all its days have theirs.

        Cost: 0 credits.

        Requires the Business plan or above.

        dataset: Only this dataset. Default: all.
        limit: Periods per page.
        offset: Periods to skip.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.BulkDatasets = self._call(
            Call(
                "GET",
                "/v1/bulk/datasets",
                paged=True,
                polled=True,
                query={
                    "dataset": dataset,
                    "limit": limit,
                    "offset": offset,
                },
                timeout=timeout,
            )
        )
        return answer

    def file(
        self,
        *,
        dataset: schemas.BulkDatasetName,
        period: str,
        format: schemas.BulkFormat | None = None,
        version: int | None = None,
        timeout: float | None = None,
    ) -> None:
        """One day or month of a dataset as a file: `GET /v1/bulk/{dataset}/{period}`.

        All rows of a Sydney day or of a calendar month, as Parquet or as CSV in gzip. Send the `ETag` back as
        `If-None-Match`: while the file has not changed, the response is an empty 304 and free. `Range` fetches a
        part (one range), `If-Range` only of the version you began with. A version is charged at its first 200 or
        206; further requests of the account for that version are free for 24 hours. A version that was replaced
        stays for 48 hours under `version`. A key may have four downloads open at once.

        Cost: 20 credits for a day, 100 for a month, once per version and 24 hours.

        Days require the Business plan or above, months the Platform plan or above.

        dataset: Name of a dataset.
        period: A Sydney day, `YYYY-MM-DD`, or a calendar month, `YYYY-MM`.
        format: Format of the file.
        version: This version. Default: the newest.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: None = self._call(
            Call(
                "GET",
                "/v1/bulk/{dataset}/{period}",
                polled=True,
                file=True,
                path_values={
                    "dataset": dataset,
                    "period": period,
                },
                query={
                    "format": format,
                    "version": version,
                },
                timeout=timeout,
            )
        )
        return answer

    def manifest(
        self,
        *,
        dataset: schemas.BulkDatasetName,
        period: str,
        version: int | None = None,
        timeout: float | None = None,
    ) -> schemas.BulkSignedManifest:
        """Signed manifest of a day or month of a dataset: `GET /v1/bulk/{dataset}/{period}/manifest`.

        Size, SHA-256 and rows of each file of a version, the bounds of its rows, and an Ed25519 signature. The
        signature covers the UTF-8 bytes of `manifest` in canonical form (RFC 8785): members in the order of their
        names, no white space. A manifest is published together with its files, so that the files under `sources`
        are those that it names.

        Cost: 0 credits.

        Requires the Business plan or above.

        dataset: Name of a dataset.
        period: A Sydney day, `YYYY-MM-DD`, or a calendar month, `YYYY-MM`.
        version: This version. Default: the newest.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.BulkSignedManifest = self._call(
            Call(
                "GET",
                "/v1/bulk/{dataset}/{period}/manifest",
                polled=True,
                path_values={
                    "dataset": dataset,
                    "period": period,
                },
                query={"version": version},
                timeout=timeout,
            )
        )
        return answer

    def keys(
        self,
        *,
        timeout: float | None = None,
    ) -> schemas.BulkKeys:
        """Keys that verify manifests: `GET /v1/bulk/keys`.

        The public keys of manifests as a JSON Web Key Set (RFC 7517, RFC 8037). Keep the keys that you trust: a
        manifest whose key you do not know was signed after a change of keys, or by somebody else.

        Cost: 0 credits.

        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.BulkKeys = self._call(
            Call(
                "GET",
                "/v1/bulk/keys",
                polled=True,
                timeout=timeout,
            )
        )
        return answer


class Sports(Group):
    """Operations of Sports."""

    def list_sports(
        self,
        *,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> list[schemas.Sport]:
        """List sports: `GET /v1/sports`.

        Every sport key, and whether matches of it are priced now. Racing is not a sport key: see `GET
        /v1/racing/events`.

        Cost: 1 credit.

        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: list[schemas.Sport] = self._call(
            Call(
                "GET",
                "/v1/sports",
                once=True,
                polled=True,
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def get_sport_odds(
        self,
        *,
        sport_key: str,
        markets: Sequence[schemas.OfferedSportMarket] | None = None,
        bookmakers: Sequence[schemas.Bookmaker] | None = None,
        competition: str | None = None,
        include_unknown_competition: bool | None = None,
        odds_format: schemas.OddsFormat | None = None,
        max_age_minutes: int | None = None,
        commence_time_from: str | _date | _datetime | None = None,
        commence_time_to: str | _date | _datetime | None = None,
        event_ids: Sequence[str] | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> list[schemas.SportEvent]:
        """Odds of a sport: `GET /v1/sports/{sport_key}/odds`.

        The matches of a sport that have not started, with the prices of every book: each price with the time at
        which the book last confirmed it and a verdict on its quality. A match leaves at its `commence_time`.
        Books report about every 15 minutes; rows are read at most every 30 seconds. An unknown sport is a free
        404.

        Cost: 1 credit for each distinct market.

        sport_key: Key of a sport, as `GET /v1/sports` lists it.
        markets: Markets, comma-separated; one named twice counts once.
        bookmakers: Only these bookmakers, comma-separated; keys of retired and of some foreign bookmakers are
        accepted. Default: all.
        competition: Only this competition, such as `NRLW`, in upper or lower case. One that was never listed is a
        free 422.
        include_unknown_competition: Whether to include matches whose competition is unknown beside `competition`.
        odds_format: Format of prices.
        max_age_minutes: Leaves out prices that the book last confirmed longer ago.
        commence_time_from: Only matches that start then or later: a Sydney day, or an instant with its UTC
        offset.
        commence_time_to: Only matches that start then or earlier: a Sydney day, which ends at midnight, or an
        instant with its UTC offset.
        event_ids: Only these matches, by id, comma-separated. Others of the sport, and ids that are not listed,
        have no row.
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: list[schemas.SportEvent] = self._call(
            Call(
                "GET",
                "/v1/sports/{sport_key}/odds",
                once=True,
                polled=True,
                path_values={"sport_key": sport_key},
                query={
                    "markets": markets,
                    "bookmakers": bookmakers,
                    "competition": competition,
                    "include_unknown_competition": include_unknown_competition,
                    "oddsFormat": odds_format,
                    "maxAgeMinutes": max_age_minutes,
                    "commence_time_from": commence_time_from,
                    "commence_time_to": commence_time_to,
                    "event_ids": event_ids,
                },
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def get_event_odds(
        self,
        *,
        sport_key: str,
        event_id: str,
        markets: Sequence[schemas.OfferedSportMarket] | None = None,
        bookmakers: Sequence[schemas.Bookmaker] | None = None,
        odds_format: schemas.OddsFormat | None = None,
        max_age_minutes: int | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> schemas.SportEvent:
        """Odds of one match: `GET /v1/sports/{sport_key}/events/{event_id}/odds`.

        One match that has not started, as `GET /v1/sports/{sport_key}/odds` has it. A match that has started, is
        of another sport, is not listed or has no price of these markets, bookmakers and age is a free 404.

        Cost: 1 credit for each distinct market.

        sport_key: Key of a sport, as `GET /v1/sports` lists it.
        event_id: Id of the match, the same at every book; it stays the same when a bookmaker that sends its own
        ids postpones it.
        markets: Markets, comma-separated; one named twice counts once.
        bookmakers: Only these bookmakers, comma-separated; keys of retired and of some foreign bookmakers are
        accepted. Default: all.
        odds_format: Format of prices.
        max_age_minutes: Leaves out prices that the book last confirmed longer ago.
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: schemas.SportEvent = self._call(
            Call(
                "GET",
                "/v1/sports/{sport_key}/events/{event_id}/odds",
                once=True,
                polled=True,
                path_values={
                    "sport_key": sport_key,
                    "event_id": event_id,
                },
                query={
                    "markets": markets,
                    "bookmakers": bookmakers,
                    "oddsFormat": odds_format,
                    "maxAgeMinutes": max_age_minutes,
                },
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def get_odds_history(
        self,
        *,
        sport_key: str,
        from_: str | _date | _datetime | None = None,
        to: str | _date | _datetime | None = None,
        date_from: str | _date | _datetime | None = None,
        date_to: str | _date | _datetime | None = None,
        bookmakers: Sequence[schemas.Bookmaker] | None = None,
        market: schemas.SportMarket | None = None,
        event_ids: Sequence[str] | None = None,
        offset: int | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> list[schemas.MatchHistory]:
        """Captured prices of a sport: `GET /v1/sports/{sport_key}/odds/history`.

        Every change of one market at every book, up to the start of each match, the latest start first. A page
        has 25 matches, and ends earlier with the match in which it reaches 10000 snapshots. The header `Link` has
        the next page; without it add the number of matches of this one to `offset`, and send the same `from` and
        `to`. An unknown sport is a free 404.

        Cost: 5 credits.

        Requires the Standard plan or above.

        sport_key: Key of a sport, as `GET /v1/sports` lists it.
        from_: First change: a Sydney day, or an instant with its UTC offset. Default: 7 days before `to`.
        to: Last change, included: a Sydney day, which ends at midnight, or an instant with its UTC offset.
        Default: now. At most 31 days after `from`.
        date_from: Alias of `from`.
        date_to: Alias of `to`.
        bookmakers: Only these bookmakers, comma-separated; keys of retired and of some foreign bookmakers are
        accepted. Default: all.
        market: One market.
        event_ids: Only these matches, by id, comma-separated. Others of the sport, and ids that are not listed,
        have no row.
        offset: Number of matches to skip.
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: list[schemas.MatchHistory] = self._call(
            Call(
                "GET",
                "/v1/sports/{sport_key}/odds/history",
                once=True,
                paged=True,
                polled=True,
                path_values={"sport_key": sport_key},
                query={
                    "from": from_,
                    "to": to,
                    "date_from": date_from,
                    "date_to": date_to,
                    "bookmakers": bookmakers,
                    "market": market,
                    "event_ids": event_ids,
                    "offset": offset,
                },
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def get_odds_movements(
        self,
        *,
        sport_key: str,
        since: str | _datetime | None = None,
        bookmakers: Sequence[schemas.Bookmaker] | None = None,
        market: schemas.SportMarket | None = None,
        min_delta: float | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> list[schemas.SportMovement]:
        """Price movements of a sport: `GET /v1/sports/{sport_key}/odds/movements`.

        What changed in one market at every book, the newest change first, 1000 at most: for earlier ones name
        fewer `bookmakers` or raise `min_delta`. A market that a book took back and offers again starts anew. An
        unknown sport is a free 404.

        Cost: 5 credits.

        Requires the Standard plan or above.

        sport_key: Key of a sport, as `GET /v1/sports` lists it.
        since: Changes from this instant on, at most 7 days ago. Default: 24 hours ago. RFC 3339 with a UTC
        offset, such as `2026-11-21T16:20:00+11:00`; digits beyond milliseconds are ignored.
        bookmakers: Only these bookmakers, comma-separated; keys of retired and of some foreign bookmakers are
        accepted. Default: all.
        market: One market.
        min_delta: Leaves out changes in which every price and point moved by less.
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: list[schemas.SportMovement] = self._call(
            Call(
                "GET",
                "/v1/sports/{sport_key}/odds/movements",
                once=True,
                polled=True,
                path_values={"sport_key": sport_key},
                query={
                    "since": since,
                    "bookmakers": bookmakers,
                    "market": market,
                    "min_delta": min_delta,
                },
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def get_closing_lines(
        self,
        *,
        sport_key: str,
        from_: str | _date | _datetime | None = None,
        to: str | _date | _datetime | None = None,
        bookmakers: Sequence[schemas.Bookmaker] | None = None,
        offset: int | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> list[schemas.SportClosing]:
        """Closing prices and lines of a sport: `GET /v1/sports/{sport_key}/closing-lines`.

        Of each match that has started: every book’s last head-to-head price, handicap line and total before the
        start, and their consensus. 50 matches a page; a page with fewer is the last, and the header `Link` of the
        others has the next one. An unknown sport is a free 404.

        Cost: 5 credits.

        sport_key: Key of a sport, as `GET /v1/sports` lists it.
        from_: First start: a Sydney day, or an instant with its UTC offset. Default: 7 days before `to`.
        to: Last start, included: a Sydney day, which ends at midnight, or an instant with its UTC offset.
        Default: now. At most 31 days after `from`.
        bookmakers: Only these bookmakers, comma-separated; keys of retired and of some foreign bookmakers are
        accepted. Default: all.
        offset: Number of matches to skip.
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: list[schemas.SportClosing] = self._call(
            Call(
                "GET",
                "/v1/sports/{sport_key}/closing-lines",
                once=True,
                paged=True,
                polled=True,
                path_values={"sport_key": sport_key},
                query={
                    "from": from_,
                    "to": to,
                    "bookmakers": bookmakers,
                    "offset": offset,
                },
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def best_odds(
        self,
        *,
        sport_key: str,
        commence_time_from: str | _date | _datetime | None = None,
        commence_time_to: str | _date | _datetime | None = None,
        event_ids: Sequence[str] | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> list[schemas.BestOddsMatch]:
        """Best price per selection: `GET /v1/best-odds/{sport_key}`.

        The best head-to-head price of each selection over all books that offer the same bet, and whether fresh
        prices of every outcome are an arb. Compared are books with the sport’s own outcomes, three in soccer and
        Test cricket, two elsewhere; only if there is none, those with the others. A `suspect` price is best only
        if there is no other. Prices last confirmed more than 6 hours ago are left out, and stale ones are never
        part of an arb. An unknown sport is a free 404.

        Cost: 3 credits.

        sport_key: Key of a sport, as `GET /v1/sports` lists it.
        commence_time_from: Only matches that start then or later: a Sydney day, or an instant with its UTC
        offset.
        commence_time_to: Only matches that start then or earlier: a Sydney day, which ends at midnight, or an
        instant with its UTC offset.
        event_ids: Only these matches, by id, comma-separated. Others of the sport, and ids that are not listed,
        have no row.
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: list[schemas.BestOddsMatch] = self._call(
            Call(
                "GET",
                "/v1/best-odds/{sport_key}",
                once=True,
                polled=True,
                path_values={"sport_key": sport_key},
                query={
                    "commence_time_from": commence_time_from,
                    "commence_time_to": commence_time_to,
                    "event_ids": event_ids,
                },
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer


class Arbitrage(Group):
    """Operations of Arbitrage."""

    def best_prices(
        self,
        *,
        sport_key: schemas.SportKey | None = None,
        max_age_minutes: int | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> list[schemas.BestPricesMatch]:
        """Best and worst price per selection: `GET /v1/arb/best-prices`.

        The head-to-head prices of a sport compared over all books that offer the same bet: best, worst and mean
        of each selection, and how far the best is above the mean. Compared are books with the sport’s own
        outcomes, three in soccer and Test cricket, two elsewhere; only if there is none, those with the others.
        `suspect` prices do not count in these figures if there are others.

        Cost: 2 credits.

        sport_key: One sport.
        max_age_minutes: Leaves out prices that the book last confirmed longer ago.
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: list[schemas.BestPricesMatch] = self._call(
            Call(
                "GET",
                "/v1/arb/best-prices",
                once=True,
                polled=True,
                query={
                    "sport_key": sport_key,
                    "maxAgeMinutes": max_age_minutes,
                },
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def lines_arb(
        self,
        *,
        sport_key: schemas.SportKey | None = None,
        max_age_minutes: int | None = None,
        min_profit_pct: float | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> list[schemas.LinesArb]:
        """Line arbitrage and middles: `GET /v1/arb/lines`.

        Pairs of handicap or total prices at different books that together cover every result: arbs, which return
        more than they cost, and middles, where some result wins both. Main lines and alternates count. Both need
        prices that were confirmed within 1800 s and are not `suspect`, of books that do not contradict each
        other; a pair that fails only there is neither, and is listed last with its `suspect_reason`. At most 20
        pairs of each match and market; a match without any has its best pair, of any age up to `maxAgeMinutes`.

        Cost: 3 credits.

        sport_key: Only this sport. Default: all.
        max_age_minutes: Leaves out prices that the book last confirmed longer ago.
        min_profit_pct: Only arbs that return at least this much, in percent of the stakes. 0: middles and the
        best comparison of every other match too.
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: list[schemas.LinesArb] = self._call(
            Call(
                "GET",
                "/v1/arb/lines",
                once=True,
                polled=True,
                query={
                    "sport_key": sport_key,
                    "maxAgeMinutes": max_age_minutes,
                    "min_profit_pct": min_profit_pct,
                },
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def sports_arb(
        self,
        *,
        sport_key: schemas.SportKey | None = None,
        max_age_minutes: int | None = None,
        min_profit_pct: float | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> list[schemas.SportsArb]:
        """Sports arbitrage scanner: `GET /v1/arb/sports`.

        Matches whose head-to-head prices at different books return more than they cost, whichever outcome wins,
        with the stakes. An arb needs a price of every outcome there is, the draw of three-way sports included,
        each confirmed within 1800 s and none `suspect`. Sums are exact. Prices move: check them at the books
        before you bet.

        Cost: 3 credits.

        sport_key: Only this sport. Default: all.
        max_age_minutes: Leaves out prices that the book last confirmed longer ago.
        min_profit_pct: Only arbs that return at least this much, in percent of the stakes. 0: matches without an
        arb too.
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: list[schemas.SportsArb] = self._call(
            Call(
                "GET",
                "/v1/arb/sports",
                once=True,
                polled=True,
                query={
                    "sport_key": sport_key,
                    "maxAgeMinutes": max_age_minutes,
                    "min_profit_pct": min_profit_pct,
                },
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer


class Health(Group):
    """Operations of Health."""

    def connectors(
        self,
        *,
        stale_after_s: float | None = None,
        coverage_stale_after_s: float | None = None,
        include_sports: bool | None = None,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> schemas.ConnectorList:
        """Freshness and failures of each connector: `GET /v1/health/connectors`.

        For each connector: how long ago it last responded, was last polled and last reported a change; failed
        polls, dropped rows and refused races, counted by reason; the state of its circuit breaker and rate
        budget; and the ages of its quotes on the races that are live now. Use it to find out why a price is
        missing. A bookmaker or registry that has never been polled is listed with nulls. `rate_limits` reports
        whether requests per minute are limited now.

        Cost: 1 credit.

        stale_after_s: Seconds without a successful response after which a connector is stale. Registries are read
        every two hours and become stale after three hours at the earliest.
        coverage_stale_after_s: Seconds without a newer market after which a sport is not covered.
        include_sports: Whether to list the sports of each connector.
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: schemas.ConnectorList = self._call(
            Call(
                "GET",
                "/v1/health/connectors",
                once=True,
                polled=True,
                query={
                    "stale_after_s": stale_after_s,
                    "coverage_stale_after_s": coverage_stale_after_s,
                    "include_sports": include_sports,
                },
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def connector_health(
        self,
        *,
        timeout: float | None = None,
    ) -> list[schemas.ConnectorHealth]:
        """Last poll of each connector: `GET /v1/health`.

        The outcome of the last poll of every connector, ordered by name. A bookmaker or registry that has never
        been polled is listed with status `error` and null times. Retired bookmakers are not listed.

        Cost: 0 credits.

        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: list[schemas.ConnectorHealth] = self._call(
            Call(
                "GET",
                "/v1/health",
                polled=True,
                timeout=timeout,
            )
        )
        return answer

    def uptime_stats(
        self,
        *,
        timeout: float | None = None,
    ) -> schemas.Uptime:
        """Measured uptime over the last 30 days: `GET /v1/uptime`.

        The share of health checks that passed. Null, never a substitute figure, if nothing was measured. No key
        is required.

        Cost: 0 credits.

        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.Uptime = self._call(
            Call(
                "GET",
                "/v1/uptime",
                polled=True,
                timeout=timeout,
            )
        )
        return answer


class DataQuality(Group):
    """Operations of Data Quality."""

    def data_quality_summary(
        self,
        *,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> schemas.DataQualitySummary:
        """State of the data in one view: `GET /v1/data-quality/summary`.

        How many races and bookmakers are matched, how fresh the markets are, the last poll of every connector and
        the newest audit. `GET /v1/health/connectors` has the details of a connector, `GET
        /v1/data-quality/audit/latest` those of the audits.

        Cost: 1 credit.

        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: schemas.DataQualitySummary = self._call(
            Call(
                "GET",
                "/v1/data-quality/summary",
                once=True,
                polled=True,
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def latest_audits(
        self,
        *,
        sport_key: schemas.RacingSport | None = None,
        timeout: float | None = None,
    ) -> list[schemas.AuditRun]:
        """Newest audit of each sport: `GET /v1/data-quality/audit/latest`.

        An audit reads the bookmakers of up to five races that start within 3 to 60 minutes a second time, and
        compares their prices in every market with those that the API serves. The raw responses are read by a
        second reader, which shares no code with the one that the service polls with, so a response that is
        misread is found too. A price counts as different only if it differs in three readings, each from the
        price served before it and from the one served after the bookmaker’s next regular poll: prices that move
        meanwhile are no difference. Bookmakers that are polled every quarter of an hour on a race, and those of
        one race further away, are read once: a price differs if the two readers read the same response
        differently. What a push-fed bookmaker sends, and what any bookmaker pushes of matches (`sports`), is
        compared with what is served of it as it is pushed, one push in five minutes. Each run also looks at all
        stored prices of each bookmaker (`cross_checks`). Every sport is audited every ten minutes, and runs are
        kept for 30 days.

        Cost: 0 credits.

        sport_key: Only this sport. Default: all.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: list[schemas.AuditRun] = self._call(
            Call(
                "GET",
                "/v1/data-quality/audit/latest",
                polled=True,
                query={"sport_key": sport_key},
                timeout=timeout,
            )
        )
        return answer

    def run_audit(
        self,
        *,
        sport_key: schemas.RacingSport | None = None,
        market: schemas.AuditedMarket | None = None,
        timeout: float | None = None,
    ) -> schemas.OrderedAuditRun:
        """Audit a sport now: `POST /v1/data-quality/audit/run`.

        Starts an audit and waits up to 25 seconds for its end. A run that takes longer is returned with `status`
        `running` and null figures; read it later in `GET /v1/data-quality/audit/latest`. While an audit of the
        sport that was ordered here is under way, the response is that run: repeating a request starts no second
        one.

        Cost: 0 credits.

        sport_key: Sport to audit.
        market: Accepted and not used: every market is audited.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.OrderedAuditRun = self._call(
            Call(
                "POST",
                "/v1/data-quality/audit/run",
                query={
                    "sport_key": sport_key,
                    "market": market,
                },
                timeout=timeout,
            )
        )
        return answer

    def audit_results(
        self,
        *,
        run_id: str,
        status: schemas.AuditFindingStatus | None = None,
        timeout: float | None = None,
    ) -> list[schemas.AuditFinding]:
        """What an audit found: `GET /v1/data-quality/audit/{run_id}/results`.

        One row for each bookmaker, race and kind of finding, with the selections concerned: what the API served
        of them, the consensus of the other bookmakers, and what the bookmaker showed. Prices that agree are not
        listed. Empty if nothing was found, and until the run has ended.

        Cost: 0 credits.

        run_id: `id` of a run.
        status: Only findings of this kind. Default: all.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: list[schemas.AuditFinding] = self._call(
            Call(
                "GET",
                "/v1/data-quality/audit/{run_id}/results",
                polled=True,
                path_values={"run_id": run_id},
                query={"status": status},
                timeout=timeout,
            )
        )
        return answer


class Account(Group):
    """Operations of Account."""

    def usage(
        self,
        *,
        timeout: float | None = None,
    ) -> schemas.Usage:
        """Credits used and left: `GET /v1/usage`.

        The credits of the account in this UTC month, by operation, and the rate at which they are used. All keys
        of an account share them. The figures are those of the last charged call: the same as in its `X-Credits-*`
        headers. Only charged calls are listed.

        Cost: 0 credits.

        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.Usage = self._call(
            Call(
                "GET",
                "/v1/usage",
                timeout=timeout,
            )
        )
        return answer

    def usage_analytics(
        self,
        *,
        days: int | None = None,
        period: schemas.UsagePeriod | None = None,
        timeout: float | None = None,
    ) -> schemas.UsageAnalytics:
        """Credits by operation: `GET /v1/usage/analytics`.

        Charged calls of the account and their credits, by operation, over the last days or over this UTC month.

        Cost: 0 credits.

        days: UTC days, today included. Ignored with `period=billing`.
        period: `rolling`: the last `days` days; `billing`: this UTC month.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.UsageAnalytics = self._call(
            Call(
                "GET",
                "/v1/usage/analytics",
                query={
                    "days": days,
                    "period": period,
                },
                timeout=timeout,
            )
        )
        return answer

    def account(
        self,
        *,
        timeout: float | None = None,
    ) -> schemas.Account:
        """The account and its owner: `GET /v1/account`.

        The plan, the owner’s address and what the owner agreed to. A key sees the address masked.

        Cost: 0 credits.

        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.Account = self._call(
            Call(
                "GET",
                "/v1/account",
                timeout=timeout,
            )
        )
        return answer

    def marketing(
        self,
        *,
        body: schemas.MarketingConsent,
        timeout: float | None = None,
    ) -> schemas.MarketingChanged:
        """Consent to promotional mail: `POST /v1/account/marketing`.

        Gives or withdraws the owner’s consent to promotional mail. A key of a team may not.

        Cost: 0 credits.

        body: What is sent.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.MarketingChanged = self._call(
            Call(
                "POST",
                "/v1/account/marketing",
                body=body,
                timeout=timeout,
            )
        )
        return answer

    def referral(
        self,
        *,
        timeout: float | None = None,
    ) -> schemas.Referral:
        """Your referral link: `GET /v1/referral`.

        The code and link of the account, and what they earned. Both sides get credits when an account that signed
        up with the code pays its first invoice, once. A code does not count for an address of its own owner. Keys
        of a team may not call it.

        Cost: 0 credits.

        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.Referral = self._call(
            Call(
                "GET",
                "/v1/referral",
                timeout=timeout,
            )
        )
        return answer

    def referral_payout(
        self,
        *,
        body: schemas.ReferralChoice,
        timeout: float | None = None,
    ) -> schemas.Referral:
        """Choose what your referrals earn: `POST /v1/referral`.

        Counts for rewards from now on. Who may not accept a reward chooses `none`. Keys of a team may not call
        it.

        Cost: 0 credits.

        body: What is sent.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.Referral = self._call(
            Call(
                "POST",
                "/v1/referral",
                body=body,
                timeout=timeout,
            )
        )
        return answer


class Keys(Group):
    """Operations of Keys."""

    def info(
        self,
        *,
        timeout: float | None = None,
    ) -> schemas.KeyInfo:
        """The key that is sent: `GET /v1/keys/info`.

        What is stored of the key in `X-API-Key`, and the credits of its account. The key itself is not stored.

        Cost: 0 credits.

        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.KeyInfo = self._call(
            Call(
                "GET",
                "/v1/keys/info",
                timeout=timeout,
            )
        )
        return answer

    def create_key(
        self,
        *,
        label: str | None = None,
        plan: schemas.PlanId | None = None,
        email: str | None = None,
        body: schemas.NewKeyRequest | None = None,
        timeout: float | None = None,
    ) -> schemas.IssuedKey:
        """Open an account for a customer: `POST /v1/keys`.

        Opens an account with a plan and a primary key, which is shown once. With `email` the account has an
        owner, who signs in by a mailed link: you vouch that the address is the owner’s and that the owner has
        accepted the terms. A mailbox has one Free account, under whichever spelling of its address, and a
        throw-away mailbox has none. Makes customers’ keys only. Send the members in the body: addresses of
        requests are logged on their way. They are read from the query too; where both have one, that of the body
        counts.

        Cost: 0 credits.

        label: What the key is for. Default: `My Key`.
        plan: Plan of the account. Default: `free`.
        email: Address of the owner. An address that has an account is a 409; on the Free plan another spelling of
        its mailbox too.
        body: What is sent.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.IssuedKey = self._call(
            Call(
                "POST",
                "/v1/keys",
                query={
                    "label": label,
                    "plan": plan,
                    "email": email,
                },
                body=body,
                timeout=timeout,
            )
        )
        return answer

    def rotate_key(
        self,
        *,
        immediate: bool | None = None,
        timeout: float | None = None,
    ) -> schemas.KeyRotation:
        """Replace the key that is sent: `POST /v1/keys/rotate`.

        Makes a new key in place of the one in `X-API-Key`, which works for 24 hours more: it goes on reading
        data, and may change nothing of the account or its keys (409). With `immediate=true` it ends at once. At
        most one replaced key works beside the new one: a key that was replaced before ends now. The new key keeps
        the id, label, allow-list, rate limit and rights of the old one. A replaced key cannot be rotated again
        (409), so a request that is repeated makes no second key: if the response was lost, sign in to the console
        and have a new key shown.

        Cost: 0 credits.

        immediate: Ends the key that is sent at once, and the one before it.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.KeyRotation = self._call(
            Call(
                "POST",
                "/v1/keys/rotate",
                query={"immediate": immediate},
                timeout=timeout,
            )
        )
        return answer

    def set_ip_whitelist(
        self,
        *,
        body: schemas.AddressList,
        timeout: float | None = None,
    ) -> schemas.KeyAddresses:
        """Restrict the key to addresses: `POST /v1/keys/ip-whitelist`.

        Replaces the list of addresses that may use the key in `X-API-Key`, the key that it replaced included. The
        body is the list: IPv4 and IPv6 addresses and CIDR ranges, `[]` for every address. A single address is
        stored as `/32` or `/128`, `::ffff:192.0.2.1` as `192.0.2.1/32`, and what is listed twice once. A range
        that begins inside itself (`192.0.2.1/24`) and a list without your own address are a 422. It counts at
        once; requests from elsewhere are a 403 `ip_not_allowed`.

        Cost: 0 credits.

        body: What is sent.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.KeyAddresses = self._call(
            Call(
                "POST",
                "/v1/keys/ip-whitelist",
                body=body,
                timeout=timeout,
            )
        )
        return answer

    def list_team_keys(
        self,
        *,
        timeout: float | None = None,
    ) -> schemas.TeamKeys:
        """The keys of the account: `GET /v1/keys/team`.

        Every key of the account that works, the primary one included, with what it used this month. The keys
        share the credits of the account; each has its own label, rate limit, allow-list and scopes. After a
        downgrade the keys of a team go on with the limits of the new plan; none can be added.

        Cost: 0 credits.

        Requires the Business plan or above, or an account that still has team keys.

        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.TeamKeys = self._call(
            Call(
                "GET",
                "/v1/keys/team",
                timeout=timeout,
            )
        )
        return answer

    def create_team_key(
        self,
        *,
        body: schemas.TeamKeyRequest,
        timeout: float | None = None,
    ) -> schemas.NewTeamKey:
        """Add a key to the account: `POST /v1/keys/team`.

        Makes one more key for the account and shows it once: 3 keys on Business, 5 on Platform, 10 on Scale and
        Enterprise, the primary one included. Beyond that it is a 409. The key has the rights of one that is
        issued today, and may be used for `scopes` alone; without them for everything. If the response was lost,
        delete the key that `GET /v1/keys/team` lists and make another.

        Cost: 0 credits.

        Requires the Business plan or above.

        body: What is sent.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.NewTeamKey = self._call(
            Call(
                "POST",
                "/v1/keys/team",
                body=body,
                timeout=timeout,
            )
        )
        return answer

    def update_team_key(
        self,
        *,
        key_id: str,
        body: schemas.TeamKeyChange,
        timeout: float | None = None,
    ) -> schemas.TeamKey:
        """Change a key of the account: `PATCH /v1/keys/team/{key_id}`.

        Changes the label, the allow-list or the scopes of one key of the account; what is not sent stays. A
        change counts at once. The list follows the rules of `POST /v1/keys/ip-whitelist`. The primary key has no
        scopes: giving it some is a 409.

        Cost: 0 credits.

        Requires the Business plan or above, or an account that still has team keys.

        key_id: `key_id` of the key.
        body: What is sent.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.TeamKey = self._call(
            Call(
                "PATCH",
                "/v1/keys/team/{key_id}",
                path_values={"key_id": key_id},
                body=body,
                timeout=timeout,
            )
        )
        return answer

    def delete_team_key(
        self,
        *,
        key_id: str,
        timeout: float | None = None,
    ) -> schemas.DeletedTeamKey:
        """End a key of the account: `DELETE /v1/keys/team/{key_id}`.

        Ends a key of the account at once, and the key that it replaced. What it used stays in the figures of the
        account. The primary key cannot be deleted (409): rotate it with `immediate=true`.

        Cost: 0 credits.

        Requires the Business plan or above, or an account that still has team keys.

        key_id: `key_id` of the key.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.DeletedTeamKey = self._call(
            Call(
                "DELETE",
                "/v1/keys/team/{key_id}",
                path_values={"key_id": key_id},
                timeout=timeout,
            )
        )
        return answer


class Billing(Group):
    """Operations of Billing."""

    def overage(
        self,
        *,
        timeout: float | None = None,
    ) -> schemas.Overage:
        """Overage of this month: `GET /v1/billing/overage`.

        Whether calls go on beyond the allowance, at what price, and what this month would be invoiced now. Keys
        of a team may not call it.

        Cost: 0 credits.

        Overage is available on the Business and Platform plans.

        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.Overage = self._call(
            Call(
                "GET",
                "/v1/billing/overage",
                timeout=timeout,
            )
        )
        return answer

    def overage_switch(
        self,
        *,
        body: schemas.OverageChoice,
        timeout: float | None = None,
    ) -> schemas.Overage:
        """Switch overage on or off: `POST /v1/billing/overage`.

        On: calls go on up to half of the allowance beyond it, and each month’s are invoiced after its end. Counts
        for the next call. Off: calls beyond the allowance stop at once, and what was used of it stays billed. It
        needs a subscription. Keys of a team may not call it.

        Cost: 0 credits.

        Overage is available on the Business and Platform plans.

        body: What is sent.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.Overage = self._call(
            Call(
                "POST",
                "/v1/billing/overage",
                body=body,
                timeout=timeout,
            )
        )
        return answer

    def portal(
        self,
        *,
        timeout: float | None = None,
    ) -> schemas.BillingPortal:
        """Open the billing portal: `GET /v1/billing/portal`.

        A page of Stripe on which the owner of the account sees invoices, changes the card and the plan, and
        cancels. An account that has never bought anything has none: `conflict`. Keys of a team may not call it.

        Cost: 0 credits.

        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.BillingPortal = self._call(
            Call(
                "GET",
                "/v1/billing/portal",
                timeout=timeout,
            )
        )
        return answer

    def upgrade_link(
        self,
        *,
        body: schemas.UpgradeLinkRequest,
        timeout: float | None = None,
    ) -> schemas.UpgradeLink:
        """Get a link to an upgrade: `POST /v1/billing/upgrade-link`.

        A signed link, good for an hour, to the page of Stripe on which the upgrade is paid: a new subscription,
        or a change in place with proration. A new subscription is paid by UTC months, as credits are counted: now
        for the time until the next first of a month (by the year: the first of this month, a year later), and the
        credits of the first month are whole. Nothing is bought before a person confirms it there. A lower plan,
        or months instead of years, is no upgrade (`conflict`): the billing portal offers it from the next paid
        period on. A cancelled subscription, and one whose change is planned, is a `conflict` too: take that back
        in the portal first. Keys of a team may not call it.

        Cost: 0 credits.

        body: What is sent.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.UpgradeLink = self._call(
            Call(
                "POST",
                "/v1/billing/upgrade-link",
                body=body,
                timeout=timeout,
            )
        )
        return answer

    def cancel(
        self,
        *,
        timeout: float | None = None,
    ) -> schemas.SubscriptionCancelled:
        """Cancel the subscription: `POST /v1/billing/cancel`.

        Ends the subscription with the period that is paid; until then the plan stays. One that is unpaid for too
        long to give its plan ends with the period that was invoiced last. Cancelling again changes nothing;
        without a subscription it is a `conflict`. A planned change to a lower plan is dropped. The billing portal
        takes a cancellation back. Keys of a team may not call it.

        Cost: 0 credits.

        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.SubscriptionCancelled = self._call(
            Call(
                "POST",
                "/v1/billing/cancel",
                timeout=timeout,
            )
        )
        return answer


class Webhooks(Group):
    """Operations of Webhooks."""

    def list_webhooks(
        self,
        *,
        timeout: float | None = None,
    ) -> list[schemas.Webhook]:
        """The webhooks of the account: `GET /v1/webhooks`.

        Every webhook of the account, without its secret. After a downgrade they stay, and `delivery_entitled` is
        false: nothing is posted until the plan includes it again.

        Cost: 0 credits.

        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: list[schemas.Webhook] = self._call(
            Call(
                "GET",
                "/v1/webhooks",
                timeout=timeout,
            )
        )
        return answer

    def create_webhook(
        self,
        *,
        body: schemas.WebhookCreate,
        timeout: float | None = None,
    ) -> schemas.Webhook:
        """Create a webhook: `POST /v1/webhooks`.

        Has events posted to your URL from now on, all or those that the filters leave. The response shows the
        `secret` that signs them, this once: verify `webhook-signature` with a library of Standard Webhooks. Any
        2xx within 15 seconds accepts an event; whatever else, a redirect included, is a failure, and the event is
        posted again, up to nine times in three days, an `odds.change` for a minute only. Webhooks that an account
        may have: Plus 5, Business 10, Platform 50, Scale 100, Enterprise 100; one more is a 409. If the response
        was lost, delete the webhook that `GET /v1/webhooks` lists and create another. Events of the account
        (`account.…`) are named by its primary key alone: another key gets a 403, and no other key manages the
        webhook from then on.

        Cost: 0 credits.

        Requires the Plus plan or above.

        body: What is sent.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.Webhook = self._call(
            Call(
                "POST",
                "/v1/webhooks",
                body=body,
                timeout=timeout,
            )
        )
        return answer

    def update_webhook(
        self,
        *,
        webhook_id: str,
        body: schemas.WebhookChange,
        timeout: float | None = None,
    ) -> schemas.Webhook:
        """Change or pause a webhook: `PATCH /v1/webhooks/{webhook_id}`.

        Changes the URL or the filters of a webhook, or pauses it; what is not sent stays, and a filter that is
        null filters nothing. Filters count for events from then on. Events of a pause are listed as cancelled
        deliveries, but for `odds.change`, and can be replayed. `paused` false also enables a webhook that was
        disabled; what it missed can be replayed too.

        Cost: 0 credits.

        webhook_id: `id` of the webhook.
        body: What is sent.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.Webhook = self._call(
            Call(
                "PATCH",
                "/v1/webhooks/{webhook_id}",
                path_values={"webhook_id": webhook_id},
                body=body,
                timeout=timeout,
            )
        )
        return answer

    def delete_webhook(
        self,
        *,
        webhook_id: str,
        timeout: float | None = None,
    ) -> schemas.WebhookDeleted:
        """Delete a webhook: `DELETE /v1/webhooks/{webhook_id}`.

        Deletes a webhook with its secret and cancels what is still to be delivered; an attempt that is under way
        ends. Its deliveries can no longer be read.

        Cost: 0 credits.

        webhook_id: `id` of the webhook.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.WebhookDeleted = self._call(
            Call(
                "DELETE",
                "/v1/webhooks/{webhook_id}",
                path_values={"webhook_id": webhook_id},
                timeout=timeout,
            )
        )
        return answer

    def rotate_webhook_secret(
        self,
        *,
        webhook_id: str,
        immediate: bool | None = None,
        timeout: float | None = None,
    ) -> schemas.Webhook:
        """Replace the secret of a webhook: `POST /v1/webhooks/{webhook_id}/secret/rotate`.

        Makes a new secret and shows it once. For 24 hours the secret before it signs too: `webhook-signature` has
        both signatures, and `X-Webhook-Signature` is that of the previous one. With `immediate=true` it ends at
        once. At most one previous secret signs.

        Cost: 0 credits.

        webhook_id: `id` of the webhook.
        immediate: Ends the present secret at once.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.Webhook = self._call(
            Call(
                "POST",
                "/v1/webhooks/{webhook_id}/secret/rotate",
                path_values={"webhook_id": webhook_id},
                query={"immediate": immediate},
                timeout=timeout,
            )
        )
        return answer

    def list_webhook_events(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        events: Sequence[Literal["race.odds_open", "arb.opportunity", "race.result", "race.scratching", "race.market_closed", "backfill.completed", "race.start_moved", "race.track_changed", "arb.corrected", "account.payment_failed", "account.plan_changed", "account.credits_used", "account.overage_begun", "account.overage_ended", "account.key_rotated", "account.key_revealed", "account.key_added", "account.key_deleted", "account.key_addresses_changed", "account.password_changed", "account.email_changed", "account.new_browser", "account.passkey_added", "account.passkey_removed", "account.passkey_refused", "account.webhook_disabled", "account.widget_near_limit"]] | None = None,
        webhook_id: str | None = None,
        timeout: float | None = None,
    ) -> schemas.WebhookEvents:
        """Events of the last 30 days: `GET /v1/webhooks/events`.

        The events that your webhooks want, as they are posted, oldest first, whether they were delivered or not:
        to catch up after an outage, to compare, or to begin before a webhook was created. An event is listed if
        at least one of your webhooks wants it by its filters of now, paused and disabled webhooks included;
        without a webhook, all are but those of your account. Events of your account are listed for the primary
        key alone. `odds.change` and test calls are not listed. Read on with `next` of the last response as
        `after`: no event is skipped, and none is listed twice. A cursor that is older than 30 days, or that
        cannot be read, is a free 422 that names the oldest instant.

        Cost: 0 credits.

        Requires the Plus plan or above.

        after: `next` of the response before; or an instant with its UTC offset, to begin with what was recorded
        from then on. Default: the oldest event that is stored.
        limit: Maximum number of rows per page.
        events: Of them only these kinds, comma-separated. Default: all.
        webhook_id: Only what this webhook wants.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.WebhookEvents = self._call(
            Call(
                "GET",
                "/v1/webhooks/events",
                query={
                    "after": after,
                    "limit": limit,
                    "events": events,
                    "webhook_id": webhook_id,
                },
                timeout=timeout,
            )
        )
        return answer

    def list_webhook_deliveries(
        self,
        *,
        webhook_id: str,
        limit: int | None = None,
        offset: int | None = None,
        status: Sequence[schemas.WebhookDeliveryStatus] | None = None,
        event: Sequence[schemas.WebhookEventType] | None = None,
        from_: str | _datetime | None = None,
        to: str | _datetime | None = None,
        before: str | None = None,
        timeout: float | None = None,
    ) -> list[schemas.WebhookDelivery]:
        """What was posted to a webhook: `GET /v1/webhooks/{webhook_id}/deliveries`.

        The deliveries of a webhook, test calls and replays included, for 30 days; those of `odds.change` for 3
        days. Bodies of responses are not stored. The header `Link` has the next page: it begins behind the last
        delivery of this one, so that new ones shift nothing.

        Cost: 0 credits.

        webhook_id: `id` of the webhook.
        limit: Maximum number of rows per page.
        offset: Number of rows to skip. New deliveries shift them: prefer `before`.
        status: Only deliveries of these statuses, comma-separated. Default: all.
        event: Only these kinds of events, comma-separated. Default: all.
        from_: Deliveries that were queued from then on. RFC 3339 with a UTC offset, such as
        `2026-11-21T16:20:00+11:00`; digits beyond milliseconds are ignored.
        to: Deliveries that were queued before then. RFC 3339 with a UTC offset, such as
        `2026-11-21T16:20:00+11:00`; digits beyond milliseconds are ignored.
        before: Only deliveries behind the one with this `id` in the list.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: list[schemas.WebhookDelivery] = self._call(
            Call(
                "GET",
                "/v1/webhooks/{webhook_id}/deliveries",
                paged=True,
                path_values={"webhook_id": webhook_id},
                query={
                    "limit": limit,
                    "offset": offset,
                    "status": status,
                    "event": event,
                    "from": from_,
                    "to": to,
                    "before": before,
                },
                timeout=timeout,
            )
        )
        return answer

    def replay_webhook_delivery(
        self,
        *,
        webhook_id: str,
        delivery_id: str,
        timeout: float | None = None,
    ) -> schemas.WebhookDelivery:
        """Deliver an event again: `POST /v1/webhooks/{webhook_id}/deliveries/{delivery_id}/replay`.

        Queues a new delivery of the same event: the same `webhook-id` and body, with a fresh timestamp and
        signature. Test calls and `odds.change` are not replayed (409), nor is a delivery that has not ended, and
        nothing to a webhook that is paused or disabled.

        Cost: 0 credits.

        Requires the Plus plan or above.

        webhook_id: `id` of the webhook.
        delivery_id: `id` of the delivery.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.WebhookDelivery = self._call(
            Call(
                "POST",
                "/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/replay",
                path_values={
                    "webhook_id": webhook_id,
                    "delivery_id": delivery_id,
                },
                timeout=timeout,
            )
        )
        return answer

    def replay_webhook(
        self,
        *,
        webhook_id: str,
        body: schemas.WebhookReplayRequest,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> schemas.WebhookReplay:
        """Deliver the events of a time range again: `POST /v1/webhooks/{webhook_id}/replay`.

        Queues new deliveries of those that were queued within the range and have ended, in their order, 20 a
        second and after live events. With `cancelled` among the statuses, what the webhook missed while it was
        disabled is replayed too: every event of that time that its filters of now want. Test calls, replays and
        `odds.change` are left out. At most 24 hours and 10,000 deliveries, those of earlier replays that still
        wait included (409). Under an `Idempotency-Key` the same request is made once and answered the same for 24
        hours.

        Cost: 0 credits.

        Requires the Plus plan or above.

        webhook_id: `id` of the webhook.
        body: What is sent.
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: schemas.WebhookReplay = self._call(
            Call(
                "POST",
                "/v1/webhooks/{webhook_id}/replay",
                once=True,
                path_values={"webhook_id": webhook_id},
                body=body,
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def test_webhook(
        self,
        *,
        webhook_id: str,
        timeout: float | None = None,
    ) -> schemas.WebhookTest:
        """Post a test to a webhook: `POST /v1/webhooks/{webhook_id}/test`.

        Posts one `odds.change` with `test` true, signed like every event, also to a webhook that is paused or
        disabled, and responds with the result within 20 seconds. There is one attempt. 10 test calls a minute for
        each account.

        Cost: 0 credits.

        Requires the Plus plan or above.

        webhook_id: `id` of the webhook.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.WebhookTest = self._call(
            Call(
                "POST",
                "/v1/webhooks/{webhook_id}/test",
                path_values={"webhook_id": webhook_id},
                timeout=timeout,
            )
        )
        return answer


class Widgets(Group):
    """Operations of Widgets."""

    def list_widgets(
        self,
        *,
        timeout: float | None = None,
    ) -> schemas.WidgetList:
        """The widgets of the account: `GET /v1/widgets`.

        Every widget of the account with its settings, the markup to paste, and how often it was filled in the
        last 60 minutes.

        Cost: 0 credits.

        Requires the Platform plan or above.

        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.WidgetList = self._call(
            Call(
                "GET",
                "/v1/widgets",
                timeout=timeout,
            )
        )
        return answer

    def create_widget(
        self,
        *,
        body: schemas.WidgetCreate,
        timeout: float | None = None,
        idempotency_key: str | None = None,
    ) -> schemas.Widget:
        """Create a widget: `POST /v1/widgets`.

        Creates a table of best prices for pages of your own sites, with your links to bookmakers: of the next
        races, or with `type` `sports` of the next matches of one sport in one market. Paste `embed_html`, or have
        a script fetch `fill_url`. A fill reads the prices and costs the account 2 credits, of a sports widget 1;
        for 60 seconds all readers of the same widget and race or match share it for free. An account may have ten
        widgets; one more is a 409. Retries with the same `Idempotency-Key` return the existing widget.

        Cost: 0 credits.

        Requires the Platform plan or above.

        body: What is sent.
        timeout: Seconds for one attempt; default: that of the client.
        idempotency_key: Yours, for a call that your program may repeat itself; default: a new one.
        """
        answer: schemas.Widget = self._call(
            Call(
                "POST",
                "/v1/widgets",
                once=True,
                body=body,
                timeout=timeout,
                idempotency_key=idempotency_key,
            )
        )
        return answer

    def get_widget(
        self,
        *,
        widget_id: str,
        timeout: float | None = None,
    ) -> schemas.Widget:
        """Get a widget: `GET /v1/widgets/{widget_id}`.

        A widget of the account with its settings, the markup to paste, and how often it was filled in the last 60
        minutes.

        Cost: 0 credits.

        Requires the Platform plan or above.

        widget_id: `id` of the widget.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.Widget = self._call(
            Call(
                "GET",
                "/v1/widgets/{widget_id}",
                path_values={"widget_id": widget_id},
                timeout=timeout,
            )
        )
        return answer

    def update_widget(
        self,
        *,
        widget_id: str,
        body: schemas.WidgetChange,
        timeout: float | None = None,
    ) -> schemas.Widget:
        """Change or pause a widget, or replace its public id: `PATCH /v1/widgets/{widget_id}`.

        Changes the settings that are sent, each as a whole: `link_templates` and lists are replaced. Changes
        apply immediately; open pages show them at their next refresh, and are loaded again for another title,
        colour or list of sites. Changing which prices are read (`bookmakers`, `categories`, `country`,
        `num_races`, `sport_key`, `market`, `num_matches`) starts a new fill, which is charged.

        Cost: 0 credits.

        Requires the Platform plan or above.

        widget_id: `id` of the widget.
        body: What is sent.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.Widget = self._call(
            Call(
                "PATCH",
                "/v1/widgets/{widget_id}",
                path_values={"widget_id": widget_id},
                body=body,
                timeout=timeout,
            )
        )
        return answer

    def delete_widget(
        self,
        *,
        widget_id: str,
        timeout: float | None = None,
    ) -> schemas.WidgetDeleted:
        """Delete a widget: `DELETE /v1/widgets/{widget_id}`.

        Deletes a widget: pages that embed it show nothing from then on. What its fills cost stays in the figures
        of the account.

        Cost: 0 credits.

        Requires the Platform plan or above.

        widget_id: `id` of the widget.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.WidgetDeleted = self._call(
            Call(
                "DELETE",
                "/v1/widgets/{widget_id}",
                path_values={"widget_id": widget_id},
                timeout=timeout,
            )
        )
        return answer


class Sandbox(Group):
    """Operations of Sandbox."""

    def demo_best_odds(
        self,
        *,
        sport: str | None = None,
        timeout: float | None = None,
    ) -> schemas.DemoBestOdds:
        """Sample of best odds without a key: `GET /v1/demo/best-odds`.

        The best head-to-head price of each selection of at most 3 matches, the next to start. The sample is
        refreshed at most every 45 seconds. Limit: 30 requests a minute per address.

        Cost: 0 credits.

        sport: Key of a sport, with `-` or `_`. Default: the one that most books price now.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.DemoBestOdds = self._call(
            Call(
                "GET",
                "/v1/demo/best-odds",
                polled=True,
                query={"sport": sport},
                timeout=timeout,
            )
        )
        return answer

    def demo_book_sport(
        self,
        *,
        book: str,
        sport: str,
        timeout: float | None = None,
    ) -> schemas.DemoBookSport:
        """Sample of one book’s prices without a key: `GET /v1/demo/book-sport`.

        One book’s head-to-head prices of at most 3 matches of a sport, or its win prices of as many races of a
        code (`horse-racing`), the next to start. The sample is refreshed at most every 90 seconds. Limit: 30
        requests a minute per address. Racing: see `GET /v1/demo/racing/next-to-go`.

        Cost: 0 credits.

        book: Name or key of a bookmaker, such as `ladbrokes`.
        sport: Key of a sport, with `-` or `_`, such as `tennis-atp`; or `horse-racing`, `harness-racing` or
        `greyhound-racing`.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.DemoBookSport = self._call(
            Call(
                "GET",
                "/v1/demo/book-sport",
                polled=True,
                query={
                    "book": book,
                    "sport": sport,
                },
                timeout=timeout,
            )
        )
        return answer

    def demo_racing_next_to_go(
        self,
        *,
        timeout: float | None = None,
    ) -> schemas.DemoNextToGo:
        """Sample of next-to-go without a key: `GET /v1/demo/racing/next-to-go`.

        At most 3 Australian races, 5 runners each, 3 books each, best price first. The sample is refreshed at
        most every 30 seconds. Limit: 30 requests a minute per address.

        Cost: 0 credits.

        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.DemoNextToGo = self._call(
            Call(
                "GET",
                "/v1/demo/racing/next-to-go",
                polled=True,
                timeout=timeout,
            )
        )
        return answer


class Ingest(Group):
    """Operations of Ingest."""

    def prices(
        self,
        *,
        bookmaker_key: str,
        body: schemas.IngestPayload,
        timeout: float | None = None,
    ) -> schemas.IngestReply:
        """Push prices for a push-fed bookmaker: `POST /v1/ingest/{bookmaker_key}`.

        Accepts the prices that a bookmaker pushes to the service. Each race is matched in the same way as the
        race lists that the service polls, and is created if no other source lists it yet. Limits: 200 races of 40
        runners each; `observed_at` at most 1800 s in the past and 5 s in the future. Repeating a request changes
        nothing: prices that are not newer than the stored ones are refused as `replayed`. Price ages count from
        `observed_at`.

        Cost: 0 credits.

        bookmaker_key: Key of a push-fed bookmaker.
        body: What is sent.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.IngestReply = self._call(
            Call(
                "POST",
                "/v1/ingest/{bookmaker_key}",
                path_values={"bookmaker_key": bookmaker_key},
                body=body,
                timeout=timeout,
            )
        )
        return answer

    def sport_prices(
        self,
        *,
        bookmaker_key: str,
        body: schemas.SportIngestPayload,
        timeout: float | None = None,
    ) -> schemas.SportIngestReply:
        """Push a bookmaker’s sports prices: `POST /v1/ingest/sports/{bookmaker_key}`.

        Replaces everything that the bookmaker offers on sports: what this push does not list is taken back, with
        its time. Each match is matched with those of other bookmakers by its teams and its start, and is created
        if it is new. Prices of a match are accepted until it starts. Limits: 6 pushes a minute of each bookmaker;
        2000 matches; `observed_at` at most 1800 s in the past and 5 s in the future; a market’s `last_update` at
        most 5 s in the future. A push that is not newer than the stored one changes nothing and is `replayed`, as
        are all of its matches. Without `observed_at` a push is as new as its arrival. One push of a bookmaker
        waits while another is written, the newest by `observed_at`. One that is not newer than it, or that waits
        when a newer one comes, is refused with a 409: do not send it again. If too many pushes of all bookmakers
        wait, a push is refused with a 503 and Retry-After; sent again, it keeps its `observed_at`. Either costs
        nothing, and nothing of it is written. Of one pair of teams 100 rows are placed, those of matches that the
        bookmaker lists first; any more are `ambiguous_event`.

        Cost: 0 credits.

        bookmaker_key: Key of a bookmaker.
        body: What is sent.
        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.SportIngestReply = self._call(
            Call(
                "POST",
                "/v1/ingest/sports/{bookmaker_key}",
                path_values={"bookmaker_key": bookmaker_key},
                body=body,
                timeout=timeout,
            )
        )
        return answer


class Site(Group):
    """Operations of Site."""

    def coverage_report(
        self,
        *,
        timeout: float | None = None,
    ) -> schemas.CoverageReport:
        """What the service covers: `GET /coverage-report.json`.

        By code, country and bookmaker, the share of the races of the last seven Sydney days that have prices; the
        completeness of results; and what the archive has. Computed again every 30 minutes: `as_of` states when. A
        part that cannot be measured is null and named in `unavailable`; if no part can be measured, the response
        is a 503 that names them all. No key is required.

        Cost: 0 credits.

        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.CoverageReport = self._call(
            Call(
                "GET",
                "/coverage-report.json",
                polled=True,
                timeout=timeout,
            )
        )
        return answer

    def platform_facts(
        self,
        *,
        timeout: float | None = None,
    ) -> schemas.PlatformFacts:
        """Measured facts about the service: `GET /platform-facts.json`.

        Bookmakers, the size of the archive, uptime and latency, each with its time and how it was measured. A
        fact that cannot be measured is absent and named in `unavailable`; if nothing was measured, the response
        is a 503 that names them all. No key is required.

        Cost: 0 credits.

        timeout: Seconds for one attempt; default: that of the client.
        """
        answer: schemas.PlatformFacts = self._call(
            Call(
                "GET",
                "/platform-facts.json",
                polled=True,
                timeout=timeout,
            )
        )
        return answer


class Groups:
    """The groups of operations."""

    def __init__(self, caller: Caller) -> None:
        self.racing = Racing(caller)
        self.racing_archive = RacingArchive(caller)
        self.bulk = Bulk(caller)
        self.sports = Sports(caller)
        self.arbitrage = Arbitrage(caller)
        self.health = Health(caller)
        self.data_quality = DataQuality(caller)
        self.account = Account(caller)
        self.keys = Keys(caller)
        self.billing = Billing(caller)
        self.webhooks = Webhooks(caller)
        self.widgets = Widgets(caller)
        self.sandbox = Sandbox(caller)
        self.ingest = Ingest(caller)
        self.site = Site(caller)
