// The team key in the examples of its operations.
export const exampleTeamKey = {
  key_id: 'tk_r4hfygr4k5fh5hyonmpqxgrnce',
  key_hint: 'pe_live_…Lk2w',
  label: 'pricing worker',
  is_primary: false,
  ip_whitelist: ['203.0.113.0/24'],
  scopes: ['read' as const],
  requests_per_minute: 750,
  key_version: 1,
  created_at: '2026-11-02T01:00:00.000Z',
  rotated_at: null,
  previous_key_valid_until: null,
  calls_used: 620,
  credits_used: 1240,
  last_used_at: '2026-11-21T02:59:58.412Z',
};
