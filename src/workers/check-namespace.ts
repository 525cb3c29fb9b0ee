// Checks a worker's requirements on its Temporal namespace before it takes a task. Uses only queries that every server
// answers: the service that lists search attributes does not exist on Temporal Cloud.
import type { Connection } from '@temporalio/client';
import { StartProblem } from '../process/until-ready';
import { SEARCH_ATTRIBUTES } from '../workflows/contract';

const INVALID_ARGUMENT = 3;
const NOT_FOUND = 5;
const PERMISSION_DENIED = 7;
const UNAUTHENTICATED = 16;
/** Wall time, for one query. */
const WITHIN_MS = 10_000;

type Service = Pick<Connection, 'workflowService' | 'withDeadline'>;

/** Rejects with a `StartProblem` for what an operator must fix, with another error if the server does not answer. */
export async function checkNamespace(connection: Service, namespace: string): Promise<void> {
  await askNamespace(connection, namespace, WITHIN_MS).catch((error) => {
    throw problemOf(error, namespace);
  });
  if (await hasAll(connection, namespace, SEARCH_ATTRIBUTES)) return;
  const there = await Promise.all(SEARCH_ATTRIBUTES.map((name) => hasAll(connection, namespace, [name])));
  const names = SEARCH_ATTRIBUTES.filter((_, i) => !there[i]).join(', ');
  throw new StartProblem(
    `Temporal's namespace '${namespace}' lacks the search attributes ${names}: ` +
      'register them (scripts/servers/prepare-namespace.mjs, on Temporal Cloud the namespace settings)',
  );
}

/** Rejects when Temporal does not answer within this wall time. Temporal reads its own database for it. */
export const askNamespace = (connection: Service, namespace: string, withinMs: number): Promise<unknown> =>
  connection.withDeadline(Date.now() + withinMs, () => connection.workflowService.describeNamespace({ namespace }));

function problemOf(error: unknown, namespace: string): unknown {
  const { code, details } = error as { code?: number; details?: string };
  if (code === NOT_FOUND) {
    return new StartProblem(
      `Temporal has no namespace '${namespace}': create it (scripts/servers/prepare-namespace.mjs) or correct TEMPORAL_NAMESPACE`,
    );
  }
  if (code !== PERMISSION_DENIED && code !== UNAUTHENTICATED) return error;
  return new StartProblem(`Temporal refuses us the namespace '${namespace}': ${details || 'not permitted'}`);
}

/** A query that names an unknown search attribute is refused. */
async function hasAll(connection: Service, namespace: string, names: readonly string[]): Promise<boolean> {
  const query = names.map((name) => `${name} IS NULL`).join(' AND ');
  try {
    await connection.withDeadline(Date.now() + WITHIN_MS, () =>
      connection.workflowService.countWorkflowExecutions({ namespace, query }),
    );
    return true;
  } catch (error) {
    if ((error as { code?: number }).code === INVALID_ARGUMENT) return false;
    throw error;
  }
}
