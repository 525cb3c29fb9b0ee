// The screen that `npm start` ends with: every address of the stack, the customers' keys, calls to paste, and the
// settings of the clients. Terminals are shared and recorded: a password in an address is masked, and only the file of
// the internal key is named.
const calls = ['next-to-go?num_races=3', 'best-odds?num_races=1', 'results?hours_back=24&limit=3'];

export function welcome(status) {
  const rows = addresses(status).filter(([, value]) => value);
  return [
    '',
    ...rows.map(([name, value]) => `  ${name.padEnd(18)} ${value}`),
    '',
    ...calls.map((call) => curl(status.api_url, status.demo_key, call)),
    ...(status.plus_key ? [`  export ODDS_API_URL=${status.api_url} ODDS_API_KEY=${status.plus_key}`] : []),
    '',
    '  Ctrl-C stops everything that was started here; the data stays.',
    '',
  ].join('\n');
}

function addresses(status) {
  const { api_url: api, worker_url: worker, simulator_url: simulator } = status;
  return [
    ['Live board', `${api}/live`],
    ['Past races', `${api}/past`],
    ['API', `${api}/v1`],
    ['API docs', `${api}/docs`],
    ['OpenAPI', `${api}/openapi.json`],
    ['API metrics', status.api_metrics_url],
    ['Worker health', worker && `${worker}/healthz`],
    ['Worker metrics', worker && `${worker}/metrics`],
    ['SDK metrics', status.sdk_metrics_url],
    ['Simulator', simulator],
    ['Faults console', simulator && `${simulator}/faults`],
    ['Race oracle', simulator && `${simulator}/world/races`],
    ['Mails', status.mail_folder],
    ['Temporal UI', status.ui_url ?? 'unknown (TEMPORAL_UI_URL is not set)'],
    ['Temporal', status.temporal_address],
    ['Database', masked(status.database_url)],
    ['Redis', masked(status.redis_url)],
    ['Demo key', `${status.demo_key}  (Free)`],
    ['Plus key', status.plus_key],
    ['All keys', status.keys_file],
  ];
}

function masked(address) {
  if (!address || !URL.canParse(address)) return address;
  const url = new URL(address);
  if (!url.password) return address;
  url.password = '***';
  return `${url.href}  (npm run stack -- status shows the password)`;
}

// Quoted, because the shell would interpret an ampersand.
const curl = (api, key, call) => `  curl -s -H "X-API-Key: ${key}" "${api}/v1/racing/${call}"`;
