// The outages as a test file of promtool, with the rules' real durations.
import { HEALTHY, minutes, WELL } from './figures.mjs';
import { OUTAGES } from './outages.mjs';

/** A test file of promtool. `rules`: the path of the rules in the tests. */
export function outageTests(rules) {
  const tests = OUTAGES.map(({ outage, ill, more = {}, fire }) => testOf(outage, ill, more, fire));
  return { rule_files: [rules], evaluation_interval: '1m', tests };
}

function testOf(name, ill, more, fire) {
  const lasting = Math.max(...Object.keys(fire).map(Number));
  return {
    name,
    interval: '1m',
    input_series: [
      ...Object.entries(HEALTHY).map(([series, well]) => ({ series, values: minutes(well, ill[series], lasting) })),
      ...Object.entries(more).map(([series, values]) => ({ series, values: values(lasting) })),
    ],
    promql_expr_test: Object.entries(fire).map(([after, alerts]) => ({
      expr: 'count by (alertname, severity) (ALERTS{alertstate="firing"})',
      eval_time: `${WELL + Number(after)}m`,
      exp_samples: counted(['Watchdog none', ...alerts]),
    })),
  };
}

function counted(alerts) {
  return [...new Set(alerts)].map((one) => {
    const [alertname, severity] = one.split(' ');
    const labels = `{alertname="${alertname}", severity="${severity}"}`;
    return { labels, value: alerts.filter((other) => other === one).length };
  });
}
