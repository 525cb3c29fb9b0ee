"""A customer's program: every operation except `racing_changes`, which follow.py follows, with the client that openapi-python-client generates.

Reads {"url", "key", "internal", "race_id", "match", "clv", "ingest"} and writes the name of the type that each operation returned."""

import json
import sys
from typing import Any
from uuid import UUID

from client import AuthenticatedClient, Client
from client.api.account import usage, usage_analytics
from client.api.arbitrage import best_prices, lines_arb, sports_arb
from client.api.bulk import bulk_datasets, bulk_keys
from client.api.data_quality import audit_results, data_quality_summary, latest_audits, run_audit
from client.api.health import connector_health, connectors, uptime_stats
from client.api.ingest import ingest_prices, ingest_sport_prices
from client.api.keys import key_info
from client.api.racing import (
    acceptances,
    backfill_results,
    backfill_status,
    cancel_backfill,
    consensus,
    greyhound_form,
    greyhound_stats,
    horse_form,
    horse_runs,
    intelligence,
    intelligence_scan,
    jockey_stats,
    movers,
    next_to_go,
    price_history,
    race_clv,
    race_events,
    race_form,
    race_markets,
    race_results,
    racing_best_odds,
    racing_venues,
    results_coverage,
    submit_backfill,
    track_conditions,
    trainer_stats,
)
from client.api.racing_archive import closing_lines, closing_lines_coverage, market_summary, price_paths
from client.api.sandbox import demo_best_odds, demo_book_sport, demo_racing_next_to_go
from client.api.site import coverage_report, platform_facts
from client.api.sports import (
    best_odds,
    get_closing_lines,
    get_event_odds,
    get_odds_history,
    get_odds_movements,
    get_sport_odds,
    list_sports,
)
from client.models.archive_format import ArchiveFormat
from client.models.backfill_request import BackfillRequest
from client.models.bookmaker import Bookmaker
from client.models.category import Category
from client.models.clv_bet import ClvBet
from client.models.clv_report import ClvReport
from client.models.clv_request import ClvRequest
from client.models.connector_list import ConnectorList
from client.models.consensus import Consensus
from client.models.direction import Direction
from client.models.greyhound_dimension import GreyhoundDimension
from client.models.ingest_payload import IngestPayload
from client.models.market_name import MarketName
from client.models.mover import Mover
from client.models.normalisation import Normalisation
from client.models.premiership_scope import PremiershipScope
from client.models.premiership_season import PremiershipSeason
from client.models.result_status import ResultStatus
from client.models.scan_window import ScanWindow
from client.models.odds_format import OddsFormat
from client.models.offered_sport_market import OfferedSportMarket
from client.models.sport_ingest_payload import SportIngestPayload
from client.models.sport_key import SportKey
from client.models.sport_market import SportMarket
from client.models.usage_period import UsagePeriod
from client.models.racing_sport import RacingSport
from client.types import Response

given = json.load(sys.stdin)


def keyed(key: str) -> AuthenticatedClient:
    return AuthenticatedClient(base_url=given["url"], token=key, prefix="", auth_header_name="X-API-Key")


customer, operator, anybody = keyed(given["key"]), keyed(given["internal"]), Client(base_url=given["url"])
race = UUID(given["race_id"])
JOB = "bf_20261121_4k9z0q"
AUDIT = "3b0a4f1e-6a5c-5a8e-9a53-1f0d7c7e2b11"


def named(answer: Response[Any]) -> str:
    rows = answer.parsed if isinstance(answer.parsed, list) else [answer.parsed]
    kind = type(rows[0]).__name__ if rows else "nothing"
    return f"{int(answer.status_code)} {kind}"


answers: dict[str, Response[Any]] = {
    "next_to_go": next_to_go.sync_detailed(client=customer, category=[Category.HORSE]),
    "racing_best_odds": racing_best_odds.sync_detailed(client=customer),
    "race_events": race_events.sync_detailed(client=customer),
    "race_markets": race_markets.sync_detailed(client=customer, race_id=race, markets=[MarketName.WIN]),
    "consensus": consensus.sync_detailed(client=customer, race_id=race, method=Normalisation.POWER),
    "intelligence": intelligence.sync_detailed(client=customer, race_id=race),
    "intelligence_scan": intelligence_scan.sync_detailed(client=customer, window=ScanWindow.VALUE_2, min_books=1),
    "movers": movers.sync_detailed(client=customer, min_books=1, min_move_pct=1),
    "race_results": race_results.sync_detailed(client=customer, status=ResultStatus.FINAL),
    "results_coverage": results_coverage.sync_detailed(client=customer),
    "horse_form": horse_form.sync_detailed(client=customer, horse="ra:1002"),
    "submit_backfill": submit_backfill.sync_detailed(client=customer, body=BackfillRequest(horses=["Gold Trip"])),
    "backfill_status": backfill_status.sync_detailed(JOB, client=customer),
    "backfill_results": backfill_results.sync_detailed(JOB, client=customer, limit=5),
    "cancel_backfill": cancel_backfill.sync_detailed(JOB, client=customer),
    "horse_runs": horse_runs.sync_detailed(client=customer, horse="Gold Trip", limit=5),
    "greyhound_form": greyhound_form.sync_detailed(client=customer, dog="Quick Sixpence"),
    "greyhound_stats": greyhound_stats.sync_detailed(client=customer, dog="grv:531882", by=[GreyhoundDimension.BOX]),
    "race_form": race_form.sync_detailed(client=customer, race_id=race),
    "jockey_stats": jockey_stats.sync_detailed(client=customer, season=PremiershipSeason.CURRENT),
    "trainer_stats": trainer_stats.sync_detailed(client=customer, name="a", scope=PremiershipScope.ALL),
    "price_history": price_history.sync_detailed(client=customer, race_id=race),
    "race_clv": race_clv.sync_detailed(client=customer, body=ClvRequest.from_dict(given["clv"])),
    "closing_lines": closing_lines.sync_detailed(client=customer, from_="2026-11-21", format_=ArchiveFormat.JSON),
    "closing_lines_coverage": closing_lines_coverage.sync_detailed(client=customer),
    "market_summary": market_summary.sync_detailed(client=customer),
    "price_paths": price_paths.sync_detailed(client=customer),
    "bulk_datasets": bulk_datasets.sync_detailed(client=customer),
    "bulk_keys": bulk_keys.sync_detailed(client=customer),
    "list_sports": list_sports.sync_detailed(client=customer),
    "get_sport_odds": get_sport_odds.sync_detailed(
        "nrl", client=customer, markets=[OfferedSportMarket.TOTALS], odds_format=OddsFormat.AMERICAN
    ),
    "get_event_odds": get_event_odds.sync_detailed("nrl", UUID(given["match"]), client=customer),
    "get_odds_history": get_odds_history.sync_detailed("nrl", client=customer, market=SportMarket.SPREADS),
    "get_odds_movements": get_odds_movements.sync_detailed("nrl", client=customer, min_delta=0.02),
    "get_closing_lines": get_closing_lines.sync_detailed("nrl", client=customer, bookmakers=[Bookmaker.TAB]),
    "best_odds": best_odds.sync_detailed("nrl", client=customer),
    "best_prices": best_prices.sync_detailed(client=customer, sport_key=SportKey.NRL),
    "lines_arb": lines_arb.sync_detailed(client=customer, max_age_minutes=60),
    "sports_arb": sports_arb.sync_detailed(client=customer, min_profit_pct=0),
    "racing_venues": racing_venues.sync_detailed(client=customer),
    "acceptances": acceptances.sync_detailed(client=customer),
    "track_conditions": track_conditions.sync_detailed(client=customer),
    "usage": usage.sync_detailed(client=customer),
    "usage_analytics": usage_analytics.sync_detailed(client=customer, period=UsagePeriod.BILLING),
    "key_info": key_info.sync_detailed(client=customer),
    "connectors": connectors.sync_detailed(client=operator),
    "connector_health": connector_health.sync_detailed(client=operator),
    "uptime_stats": uptime_stats.sync_detailed(client=anybody),
    "demo_best_odds": demo_best_odds.sync_detailed(client=anybody, sport="nrl"),
    "demo_book_sport": demo_book_sport.sync_detailed(client=anybody, book="tab", sport="nrl"),
    "data_quality_summary": data_quality_summary.sync_detailed(client=customer),
    "latest_audits": latest_audits.sync_detailed(client=customer, sport_key=RacingSport.RACING_HORSE),
    "audit_results": audit_results.sync_detailed(AUDIT, client=customer),
    "run_audit": run_audit.sync_detailed(client=operator),
    "demo_racing_next_to_go": demo_racing_next_to_go.sync_detailed(client=anybody),
    "coverage_report": coverage_report.sync_detailed(client=anybody),
    "platform_facts": platform_facts.sync_detailed(client=anybody),
    "ingest_prices": ingest_prices.sync_detailed(
        given["ingest"]["bookmaker_key"], client=operator, body=IngestPayload.from_dict(given["ingest"])
    ),
    "ingest_sport_prices": ingest_sport_prices.sync_detailed(
        "neds", client=operator, body=SportIngestPayload(bookmaker_key="neds", events=[])
    ),
}


def used() -> dict[str, object]:
    """Members by their types: mypy checks that they are what a customer reads in the document."""
    figures, moved, all_connectors = answers["consensus"].parsed, answers["movers"].parsed, answers["connectors"].parsed
    assert isinstance(figures, Consensus) and isinstance(all_connectors, ConnectorList)
    normalisation: Normalisation = figures.method.normalisation
    movers_found: list[Mover] = moved or []
    firming = [mover.runner for mover in movers_found if mover.direction is Direction.FIRMING]
    report = race_clv.sync(client=customer, body=ClvRequest(bets=[ClvBet(price=5.5, race_id=str(race), runner_number=1)]))
    assert isinstance(report, ClvReport)
    return {
        "normalisation": normalisation.value,
        "firming": firming,
        "connectors": [one.connector for one in all_connectors.connectors],
        "stake_left_out": [score.stake for score in report.bets],
    }


print(json.dumps({"answers": {name: named(answer) for name, answer in answers.items()}, "used": used()}))
