// The key of a sport, in bodies, paths and rows.
import { Type } from '@sinclair/typebox';
import { SPORT_KEYS } from '../../../domain/sports/sports';
import { named, oneOf } from '../../wire/vocabulary';

export const SportKey = named(
  'SportKey',
  oneOf(SPORT_KEYS, { description: 'Key of a sport, as `GET /v1/sports` lists it. Keys may be added later.' }),
);

/** In a path: an unknown key is a free 404. */
export const sportInPath = {
  sport_key: Type.String({
    minLength: 1,
    maxLength: 40,
    description: 'Key of a sport, as `GET /v1/sports` lists it.',
    examples: ['nrl'],
  }),
};
