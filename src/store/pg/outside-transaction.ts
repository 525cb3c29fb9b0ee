// Migrations that PostgreSQL runs only outside a transaction, because they take long and allow reads and writes
// meanwhile: an index that is built CONCURRENTLY, rows that a new constraint VALIDATEs, columns that are filled a part
// at a time. The first line of such a file is `-- Outside a transaction.`
/** Per file. */
interface Text {
  readonly sql: string;
}

const MARK = '-- Outside a transaction.';

export const isOutside = ({ sql }: Text): boolean => sql.startsWith(`${MARK}\n`);

/** These take a lock that blocks neither readers nor writers, so they may wait for it without a limit. */
const PATIENT = /\b(CONCURRENTLY|VALIDATE CONSTRAINT)\b/;
const BUILT = /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY (\w+)/;

export const blocksNobody = (statement: string): boolean => PATIENT.test(statement);

/**
 * A statement ends where a line ends with a semicolon. Throws if an interrupted run could not be repeated: an index
 * being built remains as an invalid one, so it is dropped first.
 */
export function statementsOf({ sql }: Text): readonly string[] {
  const lines = sql.split('\n').filter((line) => !line.trimStart().startsWith('--'));
  const text = lines.join('\n');
  if (text.includes('$$'))
    throw new Error('a file that runs outside a transaction has no body of a function: split it');
  const statements = text
    .split(/;[ \t]*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
  for (const [place, statement] of statements.entries()) {
    const index = BUILT.exec(statement)?.[1];
    const drop = `DROP INDEX CONCURRENTLY IF EXISTS ${index}`;
    if (index !== undefined && !statements.slice(0, place).includes(drop))
      throw new Error(`${drop} must come before it is built: a build that was cut off leaves one that is not valid`);
  }
  return statements;
}
