// What the statements inside the database's functions read, from the plans that they really ran with.
import { Client, type Pool } from 'pg';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The nodes of every plan of the statements that `work` runs in one session, those inside functions included. */
export async function plansOf(url: string, work: (session: Pool) => Promise<unknown>): Promise<readonly PlanNode[]> {
  const client = new Client({ connectionString: url });
  const nodes: PlanNode[] = [];
  const take = (node: PlanNode): void => {
    nodes.push(node);
    node.Plans?.forEach(take);
  };
  client.on('notice', ({ message = '' }) => {
    const [, plan] = message.split('plan:\n');
    if (plan) take(JSON.parse(plan).Plan);
  });
  await client.connect();
  try {
    await client.query(`LOAD 'auto_explain'`);
    await client.query(
      `SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on; SET auto_explain.log_analyze = on;
       SET auto_explain.log_format = json; SET client_min_messages = log`,
    );
    await work(client as unknown as Pool);
  } finally {
    await client.end();
  }
  return nodes;
}

/** Scans of tables and indexes other than by a key. */
export const wholeScans = (nodes: readonly PlanNode[]): readonly string[] =>
  nodes
    .filter((node) => /(Seq|Index|Index Only|Bitmap Index) Scan$/.test(node['Node Type']) && !node['Index Cond'])
    .map((node) => `${node['Node Type']} of ${node['Index Name'] ?? node['Relation Name']}`);

/** Pairs of rows that joins compared in vain. */
export const pairsInVain = (nodes: readonly PlanNode[]): number =>
  nodes.reduce((sum, node) => sum + (node['Rows Removed by Join Filter'] ?? 0), 0);
