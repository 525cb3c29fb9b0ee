from racing_odds_client import OddsClient

client = OddsClient()

for race in client.racing.next_to_go(num_races=3, categories=["horse"]):
    print(f"{race['venue']} {race['race_number']}, {race['start_time']}")
if client.credits:
    print(f"{client.credits.remaining} credits are left")
