import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Pass {
  readonly key: string;
  readonly share: number;
  readonly skip: readonly string[];
  readonly reaches: boolean;
}
interface Options {
  readonly examples: number;
  readonly seed: number | null;
  readonly operation: string | null;
}
interface Ended {
  readonly passed: boolean;
  readonly pass: { readonly reaches: boolean };
  readonly log: string;
  readonly all: boolean;
}
const { argumentsFor, configFor, judge, PASSES } = require('../../../scripts/fuzz/passes.mjs') as {
  argumentsFor(pass: Pass, world: object, options: Options, report: string): string[];
  configFor(text: string, world: { about: Record<string, readonly string[]> }, options: Options): string;
  judge(report: object, ended: Ended): { found: string[]; summary: string };
  PASSES: readonly Pass[];
};
const { worldIn } = require('../../../scripts/fuzz/world.mjs') as { worldIn(text: string): object | null };

const usual: Options = { examples: 40, seed: null, operation: null };
const settings = readFileSync(join(__dirname, '../../../scripts/fuzz/schemathesis.toml'), 'utf8');

describe('the arguments of schemathesis', () => {
  const world = { url: 'http://127.0.0.1:1', about: { days: ['2026-11-21'], races: ['a', 'b'] } };

  test('a customer’s key skips the operators’ endpoints, an operator’s key tries all', () => {
    const [customer, operator] = PASSES.map((pass) => argumentsFor(pass, world, usual, 'r.json').join(' '));
    expect(customer).toContain(
      'run http://127.0.0.1:1/openapi.json --no-color --max-examples 40 --exclude-operation-id racing_changes_stream --exclude-operation-id racing_replay --exclude-tag Ingest',
    );
    expect(operator).toContain(
      '--max-examples 20 --exclude-operation-id racing_changes_stream --exclude-operation-id racing_replay --report json --report-json-path r.json',
    );
  });

  test('one operation is tried with every key and the given seed', () => {
    const args = argumentsFor(PASSES[0]!, world, { ...usual, seed: 7, operation: 'movers' }, 'r.json').join(' ');
    expect(args).toContain('--seed 7 --include-operation-id movers --report');
    expect(args).not.toContain('--exclude-tag');
  });

  test('every dictionary in the settings exists, and a seed is used', () => {
    const config = configFor(settings, world, usual);
    expect(config).toContain('[dictionaries.races]\nvalues = ["a","b"]\n');
    expect(config).toContain('deterministic = true');
    expect(configFor(settings, world, { ...usual, seed: 7 })).toContain('deterministic = false');
  });

  test('the world prints its address on its own line', () => {
    expect(worldIn('something first\n{"url":"http://x","keys":{}}\nmore')).toEqual({ url: 'http://x', keys: {} });
    expect([worldIn(''), worldIn('{"url":"http')]).toEqual([null, null]);
  });
});

describe('the findings', () => {
  const report = {
    complete: true,
    test_cases: { generated: 90 },
    operations: { tested: 2, selected: 2 },
    valid_rates: {
      'GET /a': { coverage: { accepted: 3 } },
      'GET /b': { coverage: { accepted: 0 }, fuzzing: { accepted: 1 } },
    },
  };
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'fuzz-'));
    writeFileSync(join(folder, 'log'), 'Fuzzing …\n=== FAILURES ===\nGET /a: 500\n=== SUMMARY ===\n');
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const ended = (over: Partial<Ended> = {}): Ended => ({
    passed: true,
    pass: { reaches: true },
    log: join(folder, 'log'),
    all: true,
    ...over,
  });

  test('are empty when the run passed and every operation answered', () => {
    expect(judge(report, ended())).toEqual({ found: [], summary: '90 requests to 2 operations' });
  });

  test('are the output of schemathesis from its first failure on', () => {
    expect(judge(report, ended({ passed: false })).found).toEqual([
      'schemathesis reports:\n=== FAILURES ===\nGET /a: 500\n=== SUMMARY ===\n',
    ]);
  });

  test('include an operation that was always refused, unless the key may be refused', () => {
    const refused = { ...report, valid_rates: { ...report.valid_rates, 'GET /c': { coverage: { accepted: 0 } } } };
    expect(judge(refused, ended()).found).toEqual(['Only ever refused, so that nothing of it was tried: GET /c.']);
    expect(judge(refused, ended({ pass: { reaches: false } })).found).toEqual([]);
    const link = { ...report, valid_rates: { 'POST /v1/password/reset': { coverage: { accepted: 0 } } } };
    expect(judge(link, ended()).found).toEqual([]);
  });

  test('include an incomplete run', () => {
    expect(judge({ ...report, complete: false }, ended()).found).toEqual(['schemathesis did not come to its end.']);
    const skipped = { ...report, operations: { tested: 1, selected: 2 } };
    expect(judge(skipped, ended()).found).toEqual(['1 operations were not tried.']);
  });
});
