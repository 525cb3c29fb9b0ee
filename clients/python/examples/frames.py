from racing_odds_client import OddsClient, schemas, to_frame

client = OddsClient()

pages = client.pages(client.racing_archive.closing_lines, from_="2026-11-20", to="2026-11-22")
lines = to_frame((row for page in pages for row in page["rows"]), schemas.ClosingLine)
drift = lines["close_win_price"] / lines["open_win_price"] - 1
print(f"{len(lines)} closing lines from {lines['start_time'].min()}, mean drift {drift.mean():.1%}")

races = client.racing.next_to_go(num_races=5)
quotes = to_frame(races, schemas.NextRace, down=("runners", "bookmakers"))
print(quotes.groupby("runners.bookmakers.key")["runners.bookmakers.win_price"].count())
