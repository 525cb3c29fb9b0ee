"""Checks deploy/: manifests against the schemas of one Kubernetes version, every PromQL expression with a parser, every alert against its
runbook.

It only reads files. It prints a line for each fault and exits with 1 if there is one. Arguments: the folder `deploy`, the runbook, and the
version of Kubernetes.
"""

import json
import re
import sys
from pathlib import Path

import kubernetes_validate
import promql_parser
import yaml

deploy, runbook, version = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
faults: list[str] = []


def check_manifests() -> int:
    count = 0
    for file in sorted(deploy.glob("kubernetes/**/*.yaml")):
        # Not sent to the cluster: kubectl reads it (kustomize.mjs).
        if file.name == "kustomization.yaml":
            continue
        for document in yaml.safe_load_all(file.read_text()):
            count += 1
            try:
                kubernetes_validate.validate(document, version, strict=True)
            except kubernetes_validate.ValidationError as error:
                faults.append(f"{file.name}: {document['kind']}: {error.message} at {'.'.join(map(str, error.path))}")
    return count


def anchors() -> set[str]:
    """The anchors of the headings, as GitHub generates them."""
    headings = re.findall(r"^#+ (.+)$", runbook.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def parse(where: str, expression: str) -> None:
    try:
        promql_parser.parse(expression.replace("$__rate_interval", "5m"))
    except ValueError as error:
        faults.append(f"{where}: {expression}: {error}")


def check_alerts() -> int:
    groups = yaml.safe_load((deploy / "prometheus/alerts.yaml").read_text())["groups"]
    rules = [rule for group in groups for rule in group["rules"]]
    known = anchors()
    for rule in rules:
        parse(rule["alert"], rule["expr"])
        annotations = rule.get("annotations", {})
        anchor = annotations.get("runbook", "").partition("#")[2]
        if anchor not in known:
            faults.append(f"{rule['alert']}: {runbook.name} has no section #{anchor}")
        if "summary" not in annotations:
            faults.append(f"{rule['alert']}: no summary")
    return len(rules)


def check_dashboards() -> int:
    count = 0
    for file in sorted(deploy.glob("grafana/*.json")):
        for panel in json.loads(file.read_text())["panels"]:
            for target in panel.get("targets", []):
                count += 1
                parse(f"{file.name}: {panel['title']}", target["expr"])
    return count


manifests, alerts, queries = check_manifests(), check_alerts(), check_dashboards()
for fault in faults:
    print(fault)
print(f"{manifests} manifests against Kubernetes {version}, {alerts} alerts, {queries} queries of dashboards: {len(faults)} faults")
sys.exit(1 if faults or not (manifests and alerts and queries) else 0)
