// The outcome of every collector's last polls.
import type { Pool } from 'pg';
import type { Instant } from '../../../domain/race/race';

export interface ConnectorHealthRow {
  readonly connector: string;
  readonly last_ok_at: Instant | null;
  readonly last_poll_at: Instant | null;
  /** `ok`, or the last failure's reason. */
  readonly status: string;
  readonly message: string | null;
  readonly records_written: number;
}

const HEALTH = {
  name: 'connector_health',
  text: `SELECT connector, last_ok_at, last_poll_at, status, message, records_written
    FROM connector_health ORDER BY connector`,
};

export async function readConnectorHealth(pool: Pool): Promise<readonly ConnectorHealthRow[]> {
  const { rows } = await pool.query<ConnectorHealthRow>(HEALTH);
  return rows;
}
