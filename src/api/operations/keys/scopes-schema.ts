// The scopes of a team key (D68), as sent and as stored.
import { Type } from '@sinclair/typebox';
import { SCOPES } from '../../../plans/scopes';
import { named, nullable, oneOf } from '../../wire/vocabulary';

const KeyScope = named(
  'KeyScope',
  oneOf(SCOPES, {
    description:
      '`read`: prices, races, results, form and matches. `archive`: closing lines, price paths, market summaries and bulk files. `webhooks`: webhooks, ' +
      'their events and deliveries. `backfill`: jobs of horse form.',
  }),
);

export const KeyScopes = nullable(
  Type.Array(KeyScope, {
    minItems: 1,
    maxItems: SCOPES.length,
    uniqueItems: true,
    description:
      'What the key may be used for. Null: everything. Operations of the account and of the key itself need no scope.',
    examples: [['read', 'archive']],
  }),
);

export const storedScopes = nullable(
  Type.Array(KeyScope, {
    description: 'What the key may be used for. Null: everything, as the primary key always.',
  }),
);
