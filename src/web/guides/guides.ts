// The guides of the API's documentation, in the order in which a reader needs them. Their texts are in `docs`.
export interface Guide {
  /** Of its address. */
  readonly slug: string;
  /** From `docs`. */
  readonly file: string;
  readonly title: string;
  /** One sentence. */
  readonly about: string;
}

export const guidePath = ({ slug }: Pick<Guide, 'slug'>): string => `/docs/guides/${slug}`;

/** A notebook that a guide leads to. It has no outputs. */
export const NOTEBOOK = { file: 'guides/a-race-last-hour.ipynb', path: '/docs/guides/a-race-last-hour.ipynb' } as const;

const own = (slug: string, title: string, about: string): Guide => ({ slug, file: `guides/${slug}.md`, title, about });
const shared = (slug: string, title: string, about: string): Guide => ({ slug, file: `${slug}.md`, title, about });
/** The README of a client of ours. */
const client = (language: string, title: string, about: string): Guide => ({
  slug: `client-${language}`,
  file: `../clients/${language}/README.md`,
  title,
  about,
});

export const GUIDES: readonly Guide[] = [
  own('first-call', 'Your first call', 'From nothing to a table of best prices in five minutes.'),
  own(
    'command-line',
    'The command line',
    'Races, changes and bulk files in a terminal, without a program of your own.',
  ),
  client('python', 'The Python client', 'Typed calls, data frames, the stream, the replay and a backtest in Python.'),
  client(
    'typescript',
    'The TypeScript client',
    'Typed calls, polling, the stream and the replay in Node and browsers.',
  ),
  own('polling', 'Polling', 'Ask again and again, and pay only for what has changed.'),
  own('changes', 'Following changes', 'Read the state once, then only what is new.'),
  shared(
    'stream',
    'The stream',
    'Changes as they happen, as server-sent events, with a follower in TypeScript and Python.',
  ),
  shared('webhooks', 'Webhooks', 'Events that are posted to you: kinds, filters, retries, order and replay.'),
  own('webhook-signatures', 'Verify a webhook by hand', 'In TypeScript, Python and PHP, with a test vector.'),
  own('credits', 'Credits, and a 402', 'What a call costs, and what to do when the month’s credits are used up.'),
  own('errors', 'Errors and retries', 'What an error says, and which calls to send again.'),
  own(
    'mcp',
    'Tools for language models',
    'Connect Claude, an editor or your own program to the operations as tools (MCP).',
  ),
  own('archives', 'Archives in DuckDB and pandas', 'Closing lines and price paths as files, with SQL and a notebook.'),
  own('backtesting', 'Backtesting with the replay', 'Play past days as they happened, bet, and be settled.'),
  shared('widgets', 'Widgets', 'Best prices in pages of your own sites.'),
  own('from-the-odds-api', 'From The Odds API', 'What maps to what.'),
  own('from-puntersedge', 'From PuntersEdge', 'Clients work unchanged; what is new.'),
];
