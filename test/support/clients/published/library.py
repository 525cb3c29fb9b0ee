"""Uses every public method of `puntersedge`, and what the package builds on them.

Reads {"url", "keys", "values", "own", "needs"} and writes what each call returned or raised, in their order."""

import inspect
import json
import sys
from typing import Any

import requests
from calls import calls_of
from puntersedge import PuntersEdge, PuntersEdgeError
from puntersedge.arb import GateConfig, Scanner, size

given = json.load(sys.stdin)
missing: set[str] = set()


class Read(dict[str, Any]):
    """A JSON object that notes which members the package looks for in vain."""

    def _note(self, name: str) -> None:
        if name not in self:
            missing.add(name)

    def get(self, name: str, default: Any = None) -> Any:
        self._note(name)
        return super().get(name, default)

    def __getitem__(self, name: str) -> Any:
        self._note(name)
        return super().__getitem__(name)


class Noting(requests.Session):
    def send(self, request: requests.PreparedRequest, **options: Any) -> requests.Response:
        response = super().send(request, **options)
        response.json = lambda: json.loads(response.text, object_hook=Read)  # type: ignore[method-assign]
        return response


def client(key: str, **options: Any) -> PuntersEdge:
    return PuntersEdge(key, base_url=given["url"] + "/v1", env={}, retries=0, session=Noting(), **options)


def outcome(call: Any, **arguments: Any) -> dict[str, Any]:
    try:
        return {"data": call(**arguments)}
    except PuntersEdgeError as error:
        return {"error": type(error).__name__, "message": str(error)}


def every_method(own: PuntersEdge) -> list[dict[str, Any]]:
    done = []
    methods = [one for one in inspect.getmembers(own, inspect.ismethod) if not one[0].startswith("_")]
    # Whatever comes after it is sent with the new key.
    for name, method in sorted(methods, key=lambda one: one[0] == "rotate_key"):
        parameters = inspect.signature(method).parameters.values()
        needed = [one.name for one in parameters if one.default is one.empty]
        optional = [one.name for one in parameters if one.default is not one.empty]
        for sent in calls_of(name, needed, optional, given):
            done.append({"name": name, "sent": sent, **outcome(method, **sent)})
    return done


def scan(own: PuntersEdge) -> dict[str, Any]:
    """The package's scanner reads matches, lines, ages and races, and adds up what they cost by its own table."""
    scanner = Scanner(own, GateConfig(max_edge_pct=0), sports=["nrl"], lines=True, racing=True)
    before = used(own)
    found = scanner.poll()
    return {
        "problems": found.errors + found.unenriched_sports,
        "kinds": sorted({one.kind.name for one in found.arbs}),
        "stakes": all(bool(size(one, 100.0)) for one in found.arbs),
        "spent": found.credits_spent,
        "charged": used(own) - before,
    }


def unchanged(own: PuntersEdge) -> dict[str, Any]:
    """A repeated request is answered from what the client remembers by its ETag."""
    before = used(own)
    same = own.sports() == own.sports()
    return {"same": same, "remembered": own.last_not_modified, "charged": used(own) - before}


def used(own: PuntersEdge) -> int:
    return own.usage()["credits_used"]


def refusal(call: Any, **arguments: Any) -> list[Any]:
    made = outcome(call, **arguments)
    return [made.get("error"), made.get("message")]


customer = client(given["keys"]["key"])
# Each answer is to be the service's own.
rotated = client(given["keys"]["key"], conditional_requests=False)
calls = every_method(rotated)
print(
    json.dumps(
        {
            "calls": calls,
            "rotated": {"source": rotated.key_source, **outcome(rotated.key_info)},
            "scan": scan(customer),
            "unchanged": unchanged(customer),
            "refused": [
                refusal(client("mistyped").usage),
                refusal(client(given["keys"]["free"]).odds_history, sport_key="nrl"),
                refusal(customer.best_odds, sport_key="curling"),
                refusal(customer.odds, sport_key="nrl", markets="outright"),
            ],
            "missing": sorted(missing),
        }
    )
)
