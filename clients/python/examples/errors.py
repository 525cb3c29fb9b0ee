from racing_odds_client import ApiError, OddsClient, OddsConnectionError

client = OddsClient(timeout=10, max_retries=1)

try:
    client.racing.consensus(venue="Nowhere", meeting_date="2026-11-20", race_number=1)
except ApiError as error:
    print(f"{error.code}: {error.detail} (request {error.request_id})")
except OddsConnectionError:
    print("The service is not reachable.")
