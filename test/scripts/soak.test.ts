interface Step {
  readonly env: Record<string, string>;
  readonly args: readonly string[];
}
const { soakSteps, typed } = require('../../scripts/soak.mjs') as {
  soakSteps(seed: number): readonly Step[];
  typed(step: Step): string;
};

test('a soak is properties at full count on its seed, the kill tests five times with a limit in seconds, and a long fuzz', () => {
  expect(soakSteps(7).map(typed)).toEqual([
    'PROPERTY_RUNS=all PROPERTY_SEED=7 npm test',
    ...Array.from({ length: 5 }, () => 'RECOVERY_MOST_SECONDS=30 npm test -- test/chaos'),
    'npm run fuzz -- --examples 300 --seed 7',
  ]);
});

describe('a soak of the memory', () => {
  const { parseSoakOptions } = require('../../scripts/soak.mjs') as {
    parseSoakOptions(args: readonly string[]): { memory: boolean; minutes: number };
  };
  const { findingsOf, slopeOf } = require('../../scripts/soak/memory.mjs') as {
    findingsOf(samples: readonly Sample[], minutes: number): readonly string[];
    slopeOf(samples: readonly Sample[], program: string, measure: 'keptMb' | 'heapMb'): number;
  };
  interface Memory {
    readonly residentMb: number;
    readonly keptMb: number;
    readonly heapMb: number;
  }
  interface Sample {
    readonly minute: number;
    readonly programs: Record<string, Memory>;
  }
  /** The worker as given, the others flat. */
  const soaked = (worker: (minute: number) => Memory): Sample[] =>
    Array.from({ length: 30 }, (_, i) => {
      const minute = 3 * (i + 1);
      const flat = { residentMb: 250, keptMb: 220, heapMb: 120 };
      return { minute, programs: { worker: worker(minute), simulator: flat, api: flat } };
    });

  test('lasts 90 minutes unless another time is given, and takes no other option', () => {
    expect(parseSoakOptions([])).toEqual({ memory: false, minutes: 90 });
    expect(parseSoakOptions(['--memory', '--minutes', '5'])).toEqual({ memory: true, minutes: 5 });
    for (const args of [['--memroy'], ['--minutes', '0'], ['--minutes', 'x']])
      expect(() => parseSoakOptions(args)).toThrow();
  });

  test('passes a small, flat service, whatever its first half was, and whatever garbage it has at the moment', () => {
    expect(
      findingsOf(
        soaked((minute) => ({
          residentMb: minute < 45 ? minute * 40 : minute % 2 === 0 ? 300 : 390,
          keptMb: minute < 45 ? minute * 30 : 290,
          heapMb: 120,
        })),
        90,
      ),
    ).toEqual([]);
  });

  test('names what is too large and what grows, by its growth in an hour', () => {
    const grown = soaked((minute) => ({ residentMb: 300, keptMb: 280, heapMb: 120 + (minute / 60) * 6 }));
    expect(slopeOf(grown, 'worker', 'heapMb')).toBeCloseTo(6 / 124.65, 5);
    expect(findingsOf(grown, 90)).toEqual(['The heap of the worker grows by 4.7 % an hour.']);
    expect(
      findingsOf(
        soaked(() => ({ residentMb: 400, keptMb: 380, heapMb: 120 })),
        90,
      ),
    ).toEqual(['Together they took 900 MB; the bound is 900 MB.']);
  });

  test('counts pages that programs share once, where that is known', () => {
    const { unionMb } = require('../../scripts/soak/shared-pages.mjs') as { unionMb(texts: readonly string[]): number };
    const mapping = (file: string, ownKb: number, sharedKb: number) =>
      `00400000-0a000000 r-xp 00000000 08:01 12  ${file}\nRss: ${ownKb + sharedKb} kB\nPrivate_Clean: ${ownKb} kB\nPrivate_Dirty: 0 kB\nShared_Clean: ${sharedKb} kB\nShared_Dirty: 0 kB\n`;
    const one = mapping('/bin/node', 1024, 2048) + mapping('/bin/node', 0, 2048) + mapping('', 10_240, 0);
    const other = mapping('/bin/node', 0, 3072) + mapping('/lib/b.so', 0, 1024) + mapping('', 20_480, 0);
    expect(unionMb([one])).toBe(15);
    expect(unionMb([one, other])).toBe(1 + 10 + 20 + 4 + 1);
    const shared = soaked(() => ({ residentMb: 500, keptMb: 480, heapMb: 120 })).map((sample) => ({
      ...sample,
      together: 880,
    }));
    expect(findingsOf(shared, 90)).toEqual([]);
  });

  test('does not pass what it hardly measured', () => {
    expect(findingsOf(soaked(() => ({ residentMb: 300, keptMb: 280, heapMb: 120 })).slice(0, 16), 90)).toHaveLength(1);
  });
});
