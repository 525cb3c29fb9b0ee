// The one validator. `x-` keywords are ours: how a raw value is read, and how an invalid one is explained.
import Ajv from 'ajv';
import type { DataValidationCxt } from 'ajv/dist/types';
import { readAddress } from '../../../accounts/email/address';
import { periodOf } from '../../../bulk/periods';
import { foldText } from '../../../domain/race/venue';
import { isDay } from '../../../domain/time/aet';
import { isServedInstant, readInstant } from '../../../domain/time/instant';

/** Control and format characters, line and paragraph separators. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
/** Some letters and symbols are blank too: fillers, joiners, the empty Braille pattern. */
const VISIBLE = /[^\s\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const VOCABULARY = [
  'x-alias-of',
  'x-alias-wins',
  'x-fold',
  'x-must-be',
  'x-shown-as',
  'x-age',
  'x-most-in-body',
  'example',
];

/** Reports every problem: for values of limited size. */
export const ajv = create({ allErrors: true });
/** Stops at the first problem. */
export const firstError = create({ allErrors: false });

function create({ allErrors }: { readonly allErrors: boolean }): Ajv {
  const own = new Ajv({ allErrors, useDefaults: true, allowUnionTypes: true, verbose: true });
  own.addVocabulary(VOCABULARY);
  addFormats(own);
  addKeywords(own);
  return own;
}

function addFormats(own: Ajv): void {
  own.addFormat('date', { type: 'string', validate: isDay });
  own.addFormat('bulk-period', { type: 'string', validate: (text) => periodOf(text) !== null });
  own.addFormat('binary', true);
  own.addFormat('date-time', { type: 'string', validate: (text) => readInstant(text) !== null });
  own.addFormat('day-or-instant', {
    type: 'string',
    validate: (text) => isDay(text) || readInstant(text) !== null,
  });
  own.addFormat('uuid', UUID);
  own.addFormat('email', { type: 'string', validate: (text) => readAddress(text.trim()) !== null });
  own.addFormat('uri', { type: 'string', validate: URL.canParse });
}

function addKeywords(own: Ajv): void {
  // See `words` in the vocabulary.
  own.addKeyword({
    keyword: 'x-words',
    type: 'string',
    schemaType: 'boolean',
    validate: (_: boolean, text: string) => text === '' || (!UNSEEN.test(text) && VISIBLE.test(text)),
    error: { message: 'must have a visible character, and no control or format characters' },
  });

  // See `venueWords` in the vocabulary.
  own.addKeyword({
    keyword: 'x-venue',
    type: 'string',
    schemaType: 'boolean',
    validate: (_: boolean, text: string) => !VISIBLE.test(text) || foldText(text) !== '',
    error: { message: 'must have a letter from A to Z or a digit' },
  });

  // D2: a `read` instant is replaced by its UTC form, so that the code behind the validator knows no other; a `served`
  // one must have it.
  own.addKeyword({
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
}

/** The keywords used to read a value: some of JSON Schema's, and ours. */
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
  /** The schema that the document shows instead: what every caller may send, where some callers may send more. */
  readonly 'x-shown-as'?: unknown;
  /** Completes the sentence "`name` must be …". */
  readonly 'x-must-be'?: string;
}
