// GET /v1/health (A 4.13; shapes 3.8).

import { Type } from '@sinclair/typebox';
import type { Reads } from '../../../store/reads/reads';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { connectorVisible } from '../../kernel/endpoint/visibility';
import { ConnectorHealth } from './health-schema';
import { presentConnector, withSilent } from './present-health';

export const connectorHealth = endpoint<{ reads: Reads }>()({
  method: 'get',
  path: '/v1/health',
  operationId: 'connector_health',
  tag: 'Health',
  summary: 'Last poll of each connector',
  description:
    'The outcome of the last poll of every connector, ordered by name. A bookmaker or registry that has never been polled is ' +
    'listed with status `error` and null times. Retired bookmakers are not listed.',
  auth: 'key',
  cost: flat(0),
  ok: {
    description: 'The connectors, ordered by name.',
    schema: Type.Array(ConnectorHealth),
    example: [
      {
        connector: 'ladbrokes_au',
        last_ok: '2026-11-21T03:00:04.120Z',
        last_poll: '2026-11-21T03:00:04.120Z',
        status: 'ok',
        records_written: 48210,
        message: null,
      },
    ],
  },
  async handler({ audience, services }) {
    const rows = await services.reads.connectorHealth();
    const shown = withSilent(rows).filter((row) => connectorVisible(audience, row.connector));
    return { body: shown.map(presentConnector) };
  },
});
