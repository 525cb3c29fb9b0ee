from racing_odds_client import Board, OddsClient

client = OddsClient()
board = Board()

for batch in client.follow({"country": ["AU"]}):
    board.apply(batch)
    print(f"{len(board.races)} races after {len(batch.events)} events", flush=True)
