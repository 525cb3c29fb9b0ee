// The output of the year: the table, and every finding.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Day } from '../../../src/domain/race/race';
import { NOT_LIVED } from './jobs';
import type { Census } from './judges/census';
import { GROWING, grown, grownBeside, SETTLED_AFTER_DAYS } from './judges/growth';
import type { YearEnd } from './year';

const MOST_FINDINGS = 40;

/** Whether there is no finding. */
export function printYear(end: YearEnd, days: readonly Day[], tookMs: number): boolean {
  const early = end.censuses.find(({ day }) => day >= SETTLED_AFTER_DAYS);
  const late = end.censuses.at(-1)!;
  const isJudged = early !== undefined && late.day >= early.day * 2;
  const broken = [...end.broken, ...(isJudged ? [...grown(early, late), ...grownBeside(early, late)] : [])];
  const print = (line = ''): void => console.log(line);
  print();
  for (const line of tableOf(end.censuses.find(({ day }) => day >= SETTLED_AFTER_DAYS) ?? end.censuses[0]!, late))
    print(line);
  print();
  for (const line of broken.slice(0, MOST_FINDINGS)) print(`  ✗ ${line}`);
  print(
    `${days[0]} to ${days.at(-1)}: ${end.races} races, ${end.archived} archives, ${end.calls} calls, ${end.horses} horses delivered, ${end.mostKeys} keys of Redis at most, ${end.events} events, closed: ${end.closed.join(' ')}`,
  );
  print(
    `no part of it: ${Object.entries(NOT_LIVED)
      .map(([id, why]) => `${id} (${why})`)
      .join(', ')}`,
  );
  print(
    `${Math.round(tookMs / 1000)} s: ${[...end.tookMs].map(([what, ms]) => `${what} ${Math.round(ms / 1000)}`).join(', ')}`,
  );
  print(broken.length === 0 ? 'Nothing is broken.' : `${broken.length} findings.`);
  return broken.length === 0;
}

function tableOf(early: Census, late: Census): readonly string[] {
  const row = (...cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  const kb = (bytes: number): number => Math.round(bytes / 1024);
  const lines = [
    row('', `day ${early.day}`, `day ${late.day}`, 'kB', 'kB', 'parts', 'grows with'),
    row('---', '--:', '--:', '--:', '--:', '--:', '---'),
  ];
  for (const [name, now] of late.tables) {
    const before = early.tables.get(name)!;
    if (now.rows === 0 && before.rows === 0) continue;
    lines.push(row(name, before.rows, now.rows, kb(before.bytes), kb(now.bytes), now.parts, GROWING[name] ?? '–'));
  }
  lines.push(row('Redis: keys', early.redisKeys, late.redisKeys, kb(early.redisBytes), kb(late.redisBytes), '', '–'));
  lines.push(row('files', early.files, late.files, kb(early.fileBytes), kb(late.fileBytes), '', 'days'));
  lines.push(
    row(
      'Temporal',
      '',
      '',
      '',
      '',
      '',
      `no part of the year: a namespace keeps what has ended for ${keptHours()} hours`,
    ),
  );
  return lines;
}

/** As when a namespace is prepared. */
function keptHours(): number {
  const script = readFileSync(join(__dirname, '../../../scripts/servers/prepare-namespace.mjs'), 'utf8');
  return Number(/retention = \{ seconds: (\d+) \* 3600 \}/.exec(script)![1]);
}
