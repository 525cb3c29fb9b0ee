// The recorded replies pass through the connectors without loss: every race, runner, placing and dividend in a file is
// mapped or counted.
import { mapEvent, mapMeetings, mapRaceList } from '../../src/feeds/entain/map';
import type { EntainEventReply, EntainListReply, EntainMeetingsReply } from '../../src/feeds/entain/payload';
import type { Dropped } from '../../src/feeds/feed';
import { mapHistory } from '../../src/feeds/tab/history';
import type { TabHistoryReply } from '../../src/feeds/tab/payload';
import {
  describeRecorded,
  recordedPresent as present,
  readRecorded as read,
  TAB_HISTORY,
} from '../support/races/recorded';

const total = (dropped: Dropped): number => Object.values(dropped).reduce((a, b) => a + b, 0);

describeRecorded('Entain affiliates', () => {
  test.each([
    ['List-of-meetings.json', 76, 748],
    ['Specified-Meeting-ByID.json', 1, 8],
  ])('%s: every race of every meeting is listed unchanged', (file, meetings, races) => {
    const reply = read<EntainMeetingsReply>(`entain-affiliates/${file}`);
    const mapped = mapMeetings(reply)!;
    const rows = reply.data.meetings.flatMap((meeting) => meeting.races.map((race) => ({ meeting, race })));
    expect([reply.data.meetings.length, rows.length]).toEqual([meetings, races]);
    expect(mapped.value).toHaveLength(races);
    expect(mapped.dropped).toEqual({});
    expect(new Set(mapped.value.map((race) => race.sourceRaceId)).size).toBe(races);
    mapped.value.forEach((listed, i) => {
      const { meeting, race } = rows[i]!;
      expect(listed).toMatchObject({
        sourceRaceId: race.id,
        venue: meeting.name,
        category: { T: 'horse', H: 'harness', G: 'greyhound' }[meeting.category],
        meetingDate: meeting.date.slice(0, 10),
        raceNumber: race.race_number,
        raceName: race.name.trim(),
        distanceM: race.distance || null,
        trackCondition: race.track_condition || null,
        weather: race.weather || null,
      });
      expect(Date.parse(listed.startTime)).toBe(Date.parse(race.start_time));
      expect(listed.country).toMatch(/^[A-Z]{2}$/);
    });
  });

  test('List-Of-Races.json: no row names a venue or a code, so each is counted', () => {
    const reply = read<EntainListReply>('entain-affiliates/List-Of-Races.json');
    expect(reply.data.races).toHaveLength(100);
    expect(mapRaceList(reply)).toMatchObject({ value: [], dropped: { race_without_venue: 100 } });
    expect(mapMeetings(reply)).toBeNull();
  });

  describe('Events-For-A-Specified-Race.json', () => {
    const { data } = present
      ? read<EntainEventReply>('entain-affiliates/Events-For-A-Specified-Race.json')
      : ({ data: {} } as EntainEventReply);
    const mapped = present ? mapEvent({ header: {}, data }, 'https://book.example')! : null!;

    test('all eight runners with their prices', () => {
      expect(data.runners).toHaveLength(8);
      expect(mapped.value.runners).toHaveLength(8);
      data.runners.forEach((runner, i) => {
        expect(mapped.value.runners[i]).toMatchObject({
          number: runner.runner_number,
          name: runner.name,
          barrier: runner.barrier,
          jockey: runner.jockey,
          trainer: runner.trainer_name,
          weightKg: Number(runner.weight!.total),
          form: runner.last_twenty_starts,
          win: runner.odds!.fixed_win,
          place: runner.odds!.fixed_place,
          toteWin: { PROV: runner.odds!.pool_win },
        });
      });
    });

    test('all eight placings, final', () => {
      expect(mapped.value.result!.stage).toBe('final');
      expect(mapped.value.result!.placings).toEqual(
        data.results!.map(({ position, runner_number, name }) => ({ position, number: runner_number, name })),
      );
    });

    test('fourteen dividends: seven final ones kept, their seven interim twins counted', () => {
      const { straight, exotics, multiRace } = mapped.value.result!;
      expect(data.dividends).toHaveLength(14);
      expect(straight.length + exotics.length + multiRace.length + total(mapped.dropped)).toBe(14);
      expect(mapped.dropped).toEqual({ dividend_superseded: 7 });
      const final = data.dividends!.filter((row) => row.status === 'Final').map((row) => row.dividend);
      expect([...straight, ...exotics].map((row) => row.amount).sort()).toEqual(final.sort());
      expect(exotics.map((row) => [row.code, row.selection]).sort()).toEqual([
        ['FF', '2,4,7,6'],
        ['QN', '2,4'],
        ['TF', '2,4,7'],
      ]);
    });
  });
});

describeRecorded('TAB, six days of history', () => {
  const reply = present ? read<TabHistoryReply>(TAB_HISTORY) : { meetings: [] };
  const mapped = mapHistory(reply)!;
  const rows = reply.meetings.flatMap((meeting) => meeting.races.map((race) => ({ meeting, race })));

  test('163 meetings, 1,473 races, each with its own name', () => {
    expect([reply.meetings.length, rows.length, mapped.value.length]).toEqual([163, 1473, 1473]);
    expect(new Set(mapped.value.map(({ listed }) => listed.sourceRaceId)).size).toBe(1473);
    mapped.value.forEach(({ listed }, i) => {
      const { meeting, race } = rows[i]!;
      expect(listed).toMatchObject({
        venue: meeting.meetingName,
        category: { R: 'horse', H: 'harness', G: 'greyhound' }[meeting.raceType],
        meetingDate: meeting.meetingDate,
        country: meeting.location === 'NZL' ? 'NZ' : 'AU',
        raceNumber: race.raceNumber,
        raceName: race.raceName!.trim(),
        distanceM: race.raceDistance,
      });
      expect(Date.parse(listed.startTime)).toBe(Date.parse(race.raceStartTime));
    });
  });

  test('every placing of every race, nine dead heats among them', () => {
    let deadHeats = 0;
    mapped.value.forEach(({ result }, i) => {
      const slots = rows[i]!.race.results!;
      const placings = slots.flatMap((slot, at) => slot.map((number) => ({ position: at + 1, number, name: null })));
      expect(result!.placings).toEqual(placings);
      deadHeats += slots.filter((slot) => slot.length > 1).length;
    });
    expect(deadHeats).toBe(9);
  });

  test('18 abandoned, 1,455 interim, none final: TAB has no such state', () => {
    const stages = mapped.value.map(({ result }) => result!.stage);
    expect(stages.filter((stage) => stage === 'abandoned')).toHaveLength(18);
    expect(stages.filter((stage) => stage === 'interim')).toHaveLength(1455);
  });

  test('unmapped parts are counted: the exotic pools', () => {
    const pools = reply.meetings.flatMap((meeting) => meeting.exoticPools ?? []);
    expect(mapped.dropped).toEqual({ exotic_pool: pools.length });
    expect(pools).toHaveLength(1924);
  });
});
