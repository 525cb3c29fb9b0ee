// The registry's site built from the world, read by the connector over real HTTP and compared with the world's own
// data.
import { REGISTRY, REGISTRY_STATES, type RegistryListing } from '../../../src/domain/registry/registry';
import { createRegistryFeed, type RegistryFeed } from '../../../src/feeds/racing-australia/fetch';
import { createRegistrySite } from '../../../src/feeds/racing-australia/site';
import { createSimulator, type Simulator } from '../../../src/simulator/http/server';
import {
  acceptancesOutMs,
  beginsMs,
  horseCodeOf,
  keyOf,
  meetingsOf,
  personCodeOf,
  raceEntryCodeOf,
  sheetOutMs,
} from '../../../src/simulator/registry/meetings';
import { firstStartMs } from '../../../src/simulator/world/story/race-times';
import { conditionsAt, raceAt } from '../../../src/simulator/world/story/state';
import { PATIENT_MS } from '../../support/patient';

const nowMs = Date.parse('2026-11-20T23:00:00.000Z');
let simulator: Simulator;
let feed: RegistryFeed;

beforeAll(async () => {
  simulator = createSimulator({ seed: 'registry', now: () => nowMs });
  const baseUrl = `${await simulator.listen(0)}/${REGISTRY}`;
  const endpoint = { baseUrl, contact: 'ops@x.example', partner: 'x', timeoutMs: PATIENT_MS };
  feed = createRegistryFeed(createRegistrySite({ endpoint, now: () => nowMs, wait: async () => undefined }));
});
afterAll(() => simulator.close());

async function read<T>(reply: Promise<{ kind: string; value?: T; dropped?: object }>): Promise<T> {
  const answer = await reply;
  expect(answer).toMatchObject({ kind: 'ok', dropped: {} });
  return answer.value!;
}
const calendars = async () => {
  const lists: RegistryListing[][] = [];
  for (const state of REGISTRY_STATES) lists.push([...(await read(feed.calendar(state)))]);
  return lists.flat();
};

test('the calendar lists future meetings, each document once it is published', async () => {
  const listed = await calendars();
  const expected = REGISTRY_STATES.flatMap((state) =>
    meetingsOf(simulator.world, state, nowMs)
      .filter((meeting) => beginsMs(meeting) > nowMs)
      .map((meeting) => ({
        key: keyOf(meeting, state),
        day: meeting.day,
        state,
        venue: meeting.track.display,
        acceptances: acceptancesOutMs(meeting) <= nowMs,
        scratchings: sheetOutMs(meeting) <= nowMs,
      })),
  );
  expect(listed).toEqual(expected);
  expect(new Set(listed.map((one) => `${one.acceptances} ${one.scratchings}`)).size).toBe(3);
});

test('acceptances and sheets are the world’s fields and scratchings', async () => {
  for (const { key, state, scratchings, acceptances } of (await calendars()).filter((one) => one.acceptances)) {
    const meeting = meetingsOf(simulator.world, state, nowMs).find((one) => keyOf(one, state) === key)!;
    const card = await read(feed.acceptances(key));
    expect(acceptances).toBe(true);
    expect(card.statedRunners).toBe(meeting.races.reduce((sum, race) => sum + race.runners.length, 0));
    expect(card.track.rail).toBe(meeting.rail);
    expect(card.races.map(({ raceNumber, startTime, distanceM }) => [raceNumber, startTime, distanceM])).toEqual(
      meeting.races.map((race) => [race.number, new Date(firstStartMs(race)).toISOString(), race.distanceM]),
    );
    card.races.forEach(({ runners, prizeTotal, conditions }, i) => {
      const race = meeting.races[i]!;
      expect(prizeTotal).toBe(race.prizes.reduce((sum, prize) => sum + prize, 0));
      expect(conditions).toContain(race.raceClass);
      expect(runners.map(({ rating: _, ...runner }) => runner)).toEqual(
        race.runners.map((runner) => ({
          number: runner.number,
          name: runner.name.toUpperCase(),
          emergency: runner.emergency,
          horseCode: String(horseCodeOf(race, runner)),
          raceEntryCode: String(raceEntryCodeOf(race, runner)),
          barrier: runner.barrier,
          jockey: runner.jockey,
          jockeyCode: String(personCodeOf(runner.jockey!)),
          claimKg: runner.claimKg,
          trainer: runner.trainer,
          trainerCode: String(personCodeOf(runner.trainer)),
          weightKg: runner.weightKg,
          last10: runner.form,
        })),
      );
    });
    if (!scratchings) continue;
    const sheet = await read(feed.scratchings(key));
    expect(sheet.races.map((race) => race.scratched.map((row) => row.number))).toEqual(
      meeting.races.map((race) =>
        raceAt(race, nowMs)
          .scratchings.map((row) => row.number)
          .sort((a, b) => a - b),
      ),
    );
  }
});

test('track conditions are rated from the day before and N/A until then', async () => {
  const rows = (await Promise.all(REGISTRY_STATES.map((state) => read(feed.trackConditions(state))))).flat();
  const meetings = REGISTRY_STATES.flatMap((state) => meetingsOf(simulator.world, state, nowMs));
  expect(rows.map(({ day, venue }) => `${day} ${venue}`)).toEqual(
    meetings.map((meeting) => `${meeting.day} ${meeting.track.display}`),
  );
  rows.forEach((row, i) => {
    const { going, rating } = conditionsAt(meetings[i]!, nowMs);
    const rated = rating === null ? going : `${going} ${rating}`;
    expect(row.trackCondition).toBe(row.day <= '2026-11-22' ? rated : null);
  });
});

test('an unpublished document has no race, and another state’s key is not found', async () => {
  expect(await feed.acceptances('2026Nov21,NSW,Nowhere')).toMatchObject({ kind: 'failed', reason: 'malformed' });
});
