from racing_odds_client import OddsClient

client = OddsClient()

for page in client.pages(client.racing_archive.closing_lines, from_="2026-11-20", to="2026-11-22", limit=2):
    print(f"{len(page['rows'])} rows of {page['total_rows']}")
