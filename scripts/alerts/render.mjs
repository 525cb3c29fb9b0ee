// deploy/prometheus/alerts.yaml, from the tables of this folder.
import { COLLECTION } from './collection.mjs';
import { duration } from './durations.mjs';
import { PROCESSES } from './processes.mjs';
import { SCHEDULES } from './schedules.mjs';

const GROUPS = { collection: COLLECTION, schedules: SCHEDULES, processes: PROCESSES };
export const RULES = Object.values(GROUPS).flat();

const HEAD = `# What wakes somebody. Each alert names the section of docs/runbook.md that says what to do. Made by \`npm run manifests -- --alerts\` from the
# tables in scripts/alerts, whose tests are outages: change those, not this file.
groups:
`;

/** `factor`: every duration of a rule is divided by it. Bounds that a figure is compared with stay as they are. */
export function renderAlerts(factor = 1) {
  const of = (seconds) => duration(seconds, factor);
  const groups = Object.entries(GROUPS).map(
    ([name, rules]) =>
      `  - name: racing-odds-${name}\n    rules:\n${rules.map((rule) => renderRule(rule, of)).join('')}`,
  );
  return HEAD + groups.join('');
}

function renderRule(rule, of) {
  const { alert, why, severity, summary, section = sectionOf(alert) } = rule;
  const expr = rule.expr(of);
  const lines = [
    `- alert: ${alert}`,
    ...(why ? [`  # ${why}`] : []),
    ...(expr.includes('\n') ? ['  expr: |', ...expr.split('\n').map((line) => `    ${line}`)] : [`  expr: ${expr}`]),
    ...(rule.for > 0 ? [`  for: ${of(rule.for)}`] : []),
    `  labels: { severity: ${severity} }`,
    '  annotations:',
    `    summary: '${summary}'`,
    `    runbook: docs/runbook.md#${section}`,
  ];
  return lines.map((line) => `      ${line}\n`).join('');
}

/** `PollsThinned` is `polls-thinned`. */
const sectionOf = (alert) => alert.replaceAll(/(?<=.)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
