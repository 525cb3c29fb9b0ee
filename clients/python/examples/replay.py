from racing_odds_client import Board, OddsClient

client = OddsClient()
board = Board()

for batch in client.replay({"date": "2026-11-20", "venue": "Flemington", "speed": "max"}):
    board.apply(batch)
    for one in batch.events:
        if one["event"] == "result":
            result = one["data"]
            first = [placing["name"] for placing in result["placings"] if placing["position"] == 1]
            print(f"{result['venue']} R{result['race_number']}: {', '.join(name or '?' for name in first)}", flush=True)
