// The one validator. `x-` keywords are ours: how a raw value is read, and how an invalid one is explained.
import Ajv from 'ajv';
import type { DataValidationCxt } from 'ajv/dist/types';
import { readAddress } from '../../accounts/email/address';
import { periodOf } from '../../bulk/periods';
import { foldText } from '../../domain/race/venue';
import { isDay } from '../../domain/time/aet';
import { isServedInstant, readInstant } from '../../domain/time/instant';

/** Control and format characters, line and paragraph separators. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
/** Some letters and symbols are blank too: fillers, joiners, the empty Braille pattern. */
const VISIBLE = /[^\s\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const ajv = new Ajv({ allErrors: true, useDefaults: true, allowUnionTypes: true, verbose: true });
ajv.addVocabulary(['x-alias-of', 'x-alias-wins', 'x-fold', 'x-must-be', 'x-shown-as', 'x-age', 'example']);
ajv.addFormat('date', { type: 'string', validate: isDay });
ajv.addFormat('bulk-period', { type: 'string', validate: (text) => periodOf(text) !== null });
ajv.addFormat('binary', true);
ajv.addFormat('date-time', { type: 'string', validate: (text) => readInstant(text) !== null });
ajv.addFormat('day-or-instant', {
  type: 'string',
  validate: (text) => isDay(text) || readInstant(text) !== null,
});
ajv.addFormat('uuid', UUID);
ajv.addFormat('email', { type: 'string', validate: (text) => readAddress(text.trim()) !== null });
ajv.addFormat('uri', { type: 'string', validate: URL.canParse });

// See `words` in the vocabulary.
ajv.addKeyword({
  keyword: 'x-words',
  type: 'string',
  schemaType: 'boolean',
  validate: (_: boolean, text: string) => text === '' || (!UNSEEN.test(text) && VISIBLE.test(text)),
  error: { message: 'must have a visible character, and no control or format characters' },
});

// See `venueWords` in the vocabulary.
ajv.addKeyword({
  keyword: 'x-venue',
  type: 'string',
  schemaType: 'boolean',
  validate: (_: boolean, text: string) => !VISIBLE.test(text) || foldText(text) !== '',
  error: { message: 'must have a letter from A to Z or a digit' },
});

// D2: what is `read` is replaced by its UTC form, so that nothing behind the validator knows any other; what is `served` must have it.
ajv.addKeyword({
  keyword: 'x-instant',
  type: 'string',
  schemaType: 'string',
  modifying: true,
  validate: (use: 'read' | 'served', text: string, _: unknown, place?: DataValidationCxt) => {
    if (use === 'served') return isServedInstant(text);
    if (place) place.parentData[place.parentDataProperty] = readInstant(text) ?? text;
    return true;
  },
  error: { message: 'must be in UTC with Z and at most milliseconds' },
});

/** The keywords that reading a value uses: some of JSON Schema's, and ours. */
export interface Keywords {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Keywords;
  /** The canonical parameter that this one is an alias of. */
  readonly 'x-alias-of'?: string;
  /** If both are sent, the alias wins; without this keyword, their values must be equal. */
  readonly 'x-alias-wins'?: boolean;
  readonly 'x-fold'?: 'lower' | 'upper';
  /** The schema that the document shows instead: what every caller may send, if some callers may send more. */
  readonly 'x-shown-as'?: unknown;
  /** Completes the sentence "`name` must be …". */
  readonly 'x-must-be'?: string;
}
