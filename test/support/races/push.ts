// A push of one ordinary race; a test states only the values that it is about.
export interface Pushed {
  bookmaker_key: string;
  observed_at?: string;
  races: Record<string, unknown>[];
}

export const pushedRunner = (number: number, over: Record<string, unknown> = {}) => ({
  name: `Runner ${number}`,
  number,
  win_price: 2 + number,
  ...over,
});

export const pushedRace = (over: Record<string, unknown> = {}) => ({
  source_id: 'bb-1',
  venue: 'Flemington',
  race_number: 1,
  category: 'horse',
  start_time: '2026-11-21T03:30:00.000Z',
  runners: [1, 2, 3].map((number) => pushedRunner(number)),
  ...over,
});

export const push = (over: Partial<Pushed> = {}): Pushed => ({
  bookmaker_key: 'boostbet',
  observed_at: '2026-11-21T02:59:58.000Z',
  races: [pushedRace()],
  ...over,
});
