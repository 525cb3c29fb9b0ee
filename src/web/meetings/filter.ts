// Which meetings of a day are shown: by code, country and state, as query parameters in one order, so that equal
// choices have one address. An unknown code is no choice; a country or a state that no meeting has leaves none.
import { CATEGORIES, type Category } from '../../domain/race/race';
import { type Html, html } from '../html';
import { CODE_NAMES } from '../race-parts';
import type { DayMeeting } from './model';

export interface MeetingFilter {
  readonly code: Category | null;
  /** ISO 3166. */
  readonly country: string | null;
  readonly state: string | null;
}

export const EVERY_MEETING: MeetingFilter = { code: null, country: null, state: null };

type Query = Readonly<Record<string, unknown>>;

export function meetingFilter(query: Query): MeetingFilter {
  const place = (value: unknown) => (typeof value === 'string' && /^[A-Z]{2,3}$/.test(value) ? value : null);
  return {
    code: CATEGORIES.find((one) => one === query.code) ?? null,
    country: place(query.country),
    state: place(query.state),
  };
}

/** `?code=horse&state=VIC`; empty without a choice. */
export function filterQuery(filter: MeetingFilter, page = 1): string {
  const chosen = Object.entries({ ...filter, page: page > 1 ? String(page) : null });
  const text = chosen.flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`])).join('&');
  return text && `?${text}`;
}

export const passing = (meetings: readonly DayMeeting[], { code, country, state }: MeetingFilter): DayMeeting[] =>
  meetings.filter(
    (one) =>
      (code === null || one.category === code) &&
      (country === null || one.country === country) &&
      (state === null || one.state === state),
  );

/** Links to every choice that the day's meetings have. */
export function filterLinks(path: string, meetings: readonly DayMeeting[], filter: MeetingFilter): Html {
  const codes = CATEGORIES.filter((code) => meetings.some(({ category }) => category === code));
  const countries = distinct(meetings.map(({ country }) => country));
  const states = distinct(meetings.map(({ state }) => state));
  const link = (choice: Partial<MeetingFilter>, text: string): Html => {
    const to = { ...filter, ...choice };
    const current = Object.keys(choice).every((name) => to[name as 'code'] === filter[name as 'code']);
    return html`<li><a href="${path}${filterQuery(to)}"${current && html` aria-current="true"`}>${text}</a></li>`;
  };
  const row = (title: string, choices: readonly Html[]): Html | false =>
    choices.length > 2 && html`<ul aria-label="${title}">${choices}</ul>`;
  return html`<nav class="filters" aria-label="Meetings to show">
${row('Code', [link({ code: null }, 'All codes'), ...codes.map((code) => link({ code }, CODE_NAMES[code]))])}
${row('Country', [link({ country: null }, 'All countries'), ...countries.map((country) => link({ country }, country))])}
${row('State', [link({ state: null }, 'All states'), ...states.map((state) => link({ state }, state))])}
</nav>`;
}

const distinct = (values: readonly (string | null)[]): string[] =>
  [...new Set(values)].filter((value) => value !== null).sort();
