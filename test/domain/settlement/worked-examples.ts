// Reads the rules from docs/settlement.md, and the worked examples from the folder beside it. Unreadable text is an
// error, never skipped.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CardEntry, FixedBet, SettledRace } from '../../../src/domain/settlement/settlement';

export interface Step {
  readonly label: string;
  readonly arithmetic: string;
  readonly result: string;
}

export interface WorkedExample {
  readonly title: string;
  readonly rules: readonly string[];
  readonly race: SettledRace;
  readonly bet: FixedBet;
  readonly steps: readonly Step[];
}

interface WrittenRace {
  readonly status?: SettledRace['status'];
  readonly start_time?: string;
  readonly placings: Readonly<Record<string, readonly number[]>>;
  readonly starters?: number;
  readonly card?: Readonly<Record<string, string>>;
  readonly runners?: Readonly<Record<string, string>>;
  readonly deductions?: readonly Omit<SettledRace['deductions'][number], 'name'>[];
  readonly places_paid?: number;
}

type WrittenBet = Omit<FixedBet, 'placedAt'> & { readonly placed_at?: string };

const MEMBERS = new Set([
  'status',
  'start_time',
  'placings',
  'starters',
  'card',
  'runners',
  'deductions',
  'places_paid',
]);
const DOCS = join(__dirname, '../../../docs');
const textOf = (file: string): string => readFileSync(join(DOCS, file), 'utf8');

const cells = (line: string): string[] =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

const [, rulesAndMore = ''] = textOf('settlement.md').split('\n## Rules\n');

export const writtenRules: readonly string[] = rulesAndMore
  .split('\n## ')[0]!
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map((line) => cells(line)[0]!);

export const workedExamples: readonly WorkedExample[] = ['places-and-dead-heats', 'deductions-and-other-cases'].flatMap(
  (name) => textOf(`settlement/${name}.md`).split('\n## ').slice(1).map(read),
);

function read(text: string): WorkedExample {
  const title = text.split('\n')[0]!;
  const rules = /^Rules: (.+)$/m.exec(text)?.[1]?.split(', ');
  const given = /^```json\n([\s\S]+?)\n```$/m.exec(text)?.[1];
  const [head, , ...rows] = text.split('\n').filter((line) => line.startsWith('|'));
  if (!rules || !given || head !== '| step | arithmetic | result |') throw new Error(`cannot read: ${title}`);
  const { race, bet } = JSON.parse(given) as { race: WrittenRace; bet: WrittenBet };
  const { placed_at: placedAt = null, ...rest } = bet;
  const steps = rows.map(cells).map(([label, arithmetic, result]) => ({
    label: label!,
    arithmetic: arithmetic!,
    result: result!,
  }));
  return { title, rules, race: raceOf(race), bet: { ...rest, placedAt }, steps };
}

function raceOf(written: WrittenRace): SettledRace {
  const strange = Object.keys(written).filter((key) => !MEMBERS.has(key));
  if (strange.length > 0) throw new Error(`not of a race: ${strange}`);
  return {
    status: written.status ?? 'final',
    startTime: written.start_time ?? null,
    placings: Object.entries(written.placings).flatMap(([position, numbers]) =>
      numbers.map((number) => ({ position: Number(position), number })),
    ),
    runners: written.runners ? Object.entries(written.runners).map(runnerOf) : null,
    card: written.starters || written.card ? cardOf(written.starters ?? 0, written.card ?? {}) : null,
    deductions: (written.deductions ?? []).map((each) => ({ name: null, ...each })),
    placesPaid: written.places_paid ?? null,
  };
}

function runnerOf([number, entries]: [string, string]): NonNullable<SettledRace['runners']>[number] {
  const parts = /^(ran|scratched|late_scratching|reserve)(?: (?:(\d+)|([A-Z]\w+)))?$/.exec(entries);
  if (!parts) throw new Error(`not a runner: ${entries}`);
  return {
    number: Number(number),
    status: parts[1] as 'ran',
    position: parts[2] ? Number(parts[2]) : null,
    abnormal: parts[3] ?? null,
  };
}

function cardOf(starters: number, entries: Readonly<Record<string, string>>): readonly CardEntry[] {
  const plain: Record<string, string> = Object.fromEntries(Array.from({ length: starters }, (_, i) => [i + 1, 'in']));
  return Object.entries({ ...plain, ...entries }).map(([number, entry]) => {
    const parts = /^(in|emergency|scratched)(?: at (\S+Z))?$/.exec(entry);
    if (!parts) throw new Error(`not an entry: ${entry}`);
    const scratched = parts[1] === 'scratched';
    return {
      number: Number(number),
      scratched,
      scratchedAt: parts[2] ?? null,
      emergency: parts[1] === 'emergency' ? true : null,
    };
  });
}
