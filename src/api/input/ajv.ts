// The one validator. `x-` keywords are ours: how a raw value is read, and how an invalid one is explained.
import Ajv from 'ajv';
import { isDay } from '../../domain/time/aet';

/** Control and format characters, line and paragraph separators. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const VISIBLE = /[^\s\p{Z}]/u;

export const ajv = new Ajv({ allErrors: true, useDefaults: true, allowUnionTypes: true, verbose: true });
ajv.addVocabulary(['x-alias-of', 'x-alias-wins', 'x-fold', 'x-must-be', 'x-shown-as', 'x-age', 'example']);
ajv.addFormat('date', { type: 'string', validate: isDay });
ajv.addFormat('date-time', { type: 'string', validate: isInstant });
ajv.addFormat('uuid', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
ajv.addFormat('uri', { type: 'string', validate: URL.canParse });

// See `words` in the vocabulary.
ajv.addKeyword({
  keyword: 'x-words',
  type: 'string',
  schemaType: 'boolean',
  validate: (_: boolean, text: string) => text === '' || (!UNSEEN.test(text) && VISIBLE.test(text)),
  error: { message: 'must have a visible character, and no control or format characters' },
});

/** D2: UTC with `Z`, at most millisecond precision. */
function isInstant(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** The keywords that reading a value uses: some of JSON Schema's, and ours. */
export interface Keywords {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
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
  readonly default?: unknown;
  readonly 'x-must-be'?: string;
}
