from racing_odds_client import OddsClient

client = OddsClient()

for races in client.poll(client.racing.next_to_go, 5, num_races=5, bookmakers=["tab"]):
    print(f"{len(races)} races, and something has changed", flush=True)
