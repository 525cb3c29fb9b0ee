"""Checks deploy/kubernetes and the Dockerfile against the rules of checkov, except those in exceptions.yaml.

It only reads files and uses no network. It prints a line for each fault (a broken rule without an exception, or an exception that nothing
needs any more) and exits with 1 if there is one. Argument: the root of the project.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

root = Path(sys.argv[1])
exceptions = yaml.safe_load((root / "scripts/manifests/exceptions.yaml").read_text())
manifests = [file for file in sorted(root.glob("deploy/kubernetes/**/*.yaml")) if file.name != "kustomization.yaml"]
files = [file.relative_to(root) for file in [root / "Dockerfile", *manifests]]


FRAMEWORKS = ["dockerfile", "kubernetes"]


def reports() -> list[dict]:
    options = ["--framework", *FRAMEWORKS, "--skip-download", "--quiet", "--compact", "--output", "json"]
    command = [sys.executable, "-m", "checkov.main", "--file", *files, *options]
    # Neither the settings nor a platform key of the user.
    with tempfile.TemporaryDirectory() as home:
        env = {"PATH": os.environ["PATH"], "HOME": home, "SKIP_PACKAGE_UPDATE_CHECK": "TRUE"}
        result = subprocess.run(command, cwd=root, capture_output=True, text=True, env=env)
    # 1 means a broken rule; any other code means that the run failed.
    if result.returncode not in (0, 1):
        sys.exit(result.stderr or result.stdout)
    found = json.loads(result.stdout)
    of_all = found if isinstance(found, list) else [found]
    if sorted(report.get("check_type", "") for report in of_all) != FRAMEWORKS:
        sys.exit(f"checkov did not report on {FRAMEWORKS}: {result.stdout[:2000]}")
    return of_all


def name_of(resource: str) -> str:
    """`Job.racing-odds-migrate` of `Job.default.racing-odds-migrate`, `Dockerfile` of `/Dockerfile.`."""
    return resource.replace(".default.", ".").strip("/.")


found, names, passed = set(), {}, 0
for report in reports():
    passed += report["summary"]["passed"]
    if report["summary"]["skipped"] or report["summary"]["parsing_errors"]:
        sys.exit(f"{report['check_type']}: a rule is skipped in a file, or a file is unreadable: {report['summary']}")
    for check in report["results"]["failed_checks"]:
        found.add((check["check_id"], name_of(check["resource"])))
        names[check["check_id"]] = check["check_name"]

excepted = {(rule, resource) for rule, each in exceptions.items() for resource in each["of"]}
faults = [f"{resource}: {names[rule]} ({rule})" for rule, resource in sorted(found - excepted)]
faults += [f"exceptions.yaml: {resource} keeps {rule}: delete it there" for rule, resource in sorted(excepted - found)]
faults += [f"exceptions.yaml: {rule} has no reason" for rule, each in exceptions.items() if not each.get("why")]
for fault in faults:
    print(fault)
print(f"{passed} rules kept, {len(found & excepted)} excepted, by checkov: {len(faults)} faults")
sys.exit(1 if faults or not passed else 0)
