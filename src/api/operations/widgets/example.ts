// The widget of the examples.
import type { WidgetWire } from './widget-schema';

const EMBED = 'https://api.example.com/widgets/we_k3v7d2mxq7hs5tnc4wzb6yprfa';

export const exampleWidget: WidgetWire = {
  id: 'wg_r4hfygr4k5fh5hyonmpqxgrnce',
  type: 'racing',
  name: 'Home page',
  embed_id: 'we_k3v7d2mxq7hs5tnc4wzb6yprfa',
  embed_url: EMBED,
  embed_html: `<iframe src="${EMBED}" title="Racing odds" width="100%" height="640" style="border:0" loading="lazy"></iframe>`,
  fill_url: `${EMBED}/fill`,
  allowed_origins: ['https://www.example.com'],
  max_fills_per_hour: 120,
  max_fills_per_month: 50000,
  link_templates: { sportsbet: 'https://go.example.com/sportsbet?race={race_id}&runner={runner_number}' },
  bookmakers: [],
  categories: [],
  country: ['AU'],
  num_races: 3,
  sport_key: null,
  market: null,
  num_matches: null,
  title: 'Next races',
  accent: '#12694a',
  theme: 'auto',
  paused: false,
  is_active: true,
  fill_entitled: true,
  fills_last_hour: 42,
  fills_this_month: 18304,
  last_filled_at: '2026-11-21T02:59:12.000Z',
  created_at: '2026-11-20T22:00:00.000Z',
  changed_at: '2026-11-20T22:00:00.000Z',
};
