// The key of a sport, in bodies, paths and rows.
import { SPORT_KEYS } from '../../../domain/sports/sports';
import { named, oneOf } from '../vocabulary';

export const SportKey = named(
  'SportKey',
  oneOf(SPORT_KEYS, { description: 'Key of a sport, as `GET /v1/sports` lists it. Keys may be added later.' }),
);
