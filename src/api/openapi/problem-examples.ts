// Examples of problems by code, for the OpenAPI document. A test validates each against the schema of problems.
import type { Static } from '@sinclair/typebox';
import { type ErrorCode, PROBLEMS, type ProblemExtensions, slugOf } from '../../errors';
import type { Problem } from '../wire/problem-schema';

export interface ProblemExample extends ProblemExtensions {
  readonly detail?: string;
}

const candidate = {
  venue: 'Flemington',
  race_number: 7,
  category: 'horse',
  country: 'AU',
  start_time: '2026-11-21T05:20:00.000Z',
} as const;

/** A code without a row uses the operation's own example, or only its title. */
const EXAMPLES: Partial<Record<ErrorCode, ProblemExample>> = {
  bad_request: { detail: 'The request is not valid HTTP.' },
  undeliverable_address: {
    detail: 'gmial.con cannot receive mail. Did you mean jo@gmail.com? Nothing was created.',
    suggestion: 'jo@gmail.com',
  },
  disposable_address: {
    detail:
      'mailinator.com gives out throw-away mailboxes, which cannot have a Free account. Use an address that you keep. Nothing was created.',
  },
  unauthorized: { detail: 'Send your key in the X-API-Key header.' },
  payment_required: {
    detail:
      'This call costs 3 credits, and 1 of this month are left on the Free plan (3,000 credits a month). The Hobby plan has 7,500 ' +
      'credits for A$9 a month, enough for your rate of 4,100 credits a month. Credits reset at 2026-12-01T00:00:00.000Z.',
    required_plan: 'hobby',
    upgrade_url: 'https://api.example.com/account',
  },
  horizon_exceeded: {
    detail: 'The Free plan looks 24 hours ahead; 48 hours need the Standard plan or above.',
    required_plan: 'standard',
  },
  archive_window: {
    detail:
      'The Standard plan reads the last 90 days of the archive; all that you selected is older. The Plus plan and above read all of it.',
    required_plan: 'plus',
    upgrade_url: 'https://api.example.com/account',
  },
  range_not_satisfiable: { detail: 'The file has 1048576 bytes.' },
  race_not_on_board: {
    detail:
      'No matching race has a market on the live board. A race leaves the board ten minutes after the jump; an abandoned race has ' +
      'no market.',
  },
  race_ambiguous: {
    detail: '2 races share this venue, day and race_number. Repeat the request with race_id.',
    candidates: [
      { race_id: '0d5a1f9e-6f4c-5b6e-9a53-3d9e4f6a7b10', ...candidate },
      { race_id: '7c1f0b52-20f8-5d0a-8f3c-5a0e3a1c9d44', ...candidate, category: 'harness' },
    ],
  },
  not_acceptable: {
    detail: 'application/vnd.apache.parquet is not served here; send Accept: application/json or text/csv.',
  },
  request_timeout: { detail: 'The request did not arrive in time.' },
  unsupported_media_type: { detail: 'Send the body as application/json.' },
  internal: { detail: 'An internal error occurred.' },
  unavailable: { detail: 'The database is unavailable.', retry_after_seconds: 5 },
};

export function exampleProblem(code: ErrorCode, baseUrl: string, own: ProblemExample = {}): Static<typeof Problem> {
  const { status, title } = PROBLEMS[code];
  const { detail = `${title}.`, ...more } = { ...EXAMPLES[code], ...own };
  return {
    type: `${baseUrl}/errors/${slugOf(code)}`,
    title,
    status,
    detail,
    code,
    request_id: '8f14e45fceea167a5a36dedd4bea2543',
    ...more,
  } as Static<typeof Problem>;
}
