// The calendar of a state: a row per meeting, a column per document, and no link for a document that is not published
// yet. A meeting that has begun is no longer listed.
import type { RegistryState } from '../../domain/registry/registry';
import type { Meeting } from '../world/race';
import type { World } from '../world/world';
import { escaped, frame, row } from './markup';
import { acceptancesOutMs, beginsMs, keyOf, meetingsOf, sheetOutMs, shortDay } from './meetings';

const DOCUMENTS = ['Nominations', 'Weights', 'Acceptances', 'Form', 'Gear', 'Scratchings', 'Results'] as const;

export function calendarPage(world: World, state: RegistryState, nowMs: number): string {
  const meetings = meetingsOf(world, state, nowMs).filter((meeting) => beginsMs(meeting) > nowMs);
  const rows = meetings.map((meeting, i) =>
    row(cellsOf(meeting, state, nowMs), 'td', i % 2 ? ' class="OddRow"' : ' class="EvenRow"'),
  );
  const trial = meetings.slice(0, 1).map((meeting) => trialRow(meeting, state));
  const head = row(['Date', 'Venue', ...DOCUMENTS], 'th');
  return frame(`${state} Calendar`, `<table class="race-fields">\n${[head, ...rows, ...trial].join('\n')}\n</table>`);
}

function cellsOf(meeting: Meeting, state: RegistryState, nowMs: number): string[] {
  const key = keyOf(meeting, state);
  const out = new Set<string>(['Nominations', 'Weights']);
  if (nowMs >= acceptancesOutMs(meeting)) for (const document of ['Acceptances', 'Form', 'Gear']) out.add(document);
  if (nowMs >= sheetOutMs(meeting)) out.add('Scratchings');
  const links = DOCUMENTS.map((document) => (out.has(document) ? link(document, key) : ''));
  return [shortDay(meeting.day), escaped(meeting.track.display), ...links];
}

/** Barrier trials are in the same calendar; their key identifies them. */
function trialRow(meeting: Meeting, state: RegistryState): string {
  const key = `${keyOf(meeting, state)},Trial`;
  const links = DOCUMENTS.map((document) => (document === 'Acceptances' ? link(document, key) : ''));
  return row([shortDay(meeting.day), `${escaped(meeting.track.display)} (Trial)`, ...links]);
}

const link = (document: string, key: string): string =>
  `<a href="/FreeFields/${document}.aspx?Key=${encodeURIComponent(key)}">${document}</a>`;
