// The one screen that `npm start` ends in: where everything is, keys that work, and three commands to paste.
const calls = ['next-to-go?num_races=3', 'best-odds?num_races=1', 'results?hours_back=24&limit=3'];

export function welcome(status) {
  const { api_url: api, ui_url: ui, demo_key: key } = status;
  const rows = [
    ['API', `${api}/v1`],
    ['OpenAPI', `${api}/openapi.json`],
    ['Docs', `${api}/docs`],
    ['Live board', `${api}/`],
    ['Temporal UI', ui ?? 'not known (TEMPORAL_UI_URL is not set)'],
    ['Demo key', `${key}  (Free)`],
    ['Plus key', status.plus_key],
    ['Internal key', status.internal_key],
  ];
  return [
    '',
    ...rows.map(([name, value]) => `  ${name.padEnd(13)} ${value}`),
    '',
    ...calls.map((call) => curl(api, key, call)),
  ]
    .concat('', '  Ctrl-C stops everything that was started here; the data stays.', '')
    .join('\n');
}

// Quoted, because an ampersand means something to a shell.
const curl = (api, key, call) => `  curl -s -H "X-API-Key: ${key}" "${api}/v1/racing/${call}"`;
