// The name that a jockey, driver or trainer is found by. It is no identity: people share names, and only the
// thoroughbred registry has codes of people (B 2.8).
import { foldText } from './venue';

/** `rider`: a jockey or a driver. */
export type PersonRole = 'rider' | 'trainer';

const ASIDE = /\([^()]*\)/g;
const TITLE = /(^|-and-)(?:mr|mrs|ms|miss)-/g;

/**
 * `Ms Jamie Kah (a2)` is `jamie-kah`, `C. Maher & D. Eustace` is `c-maher-and-d-eustace`; null without a letter or
 * digit. The same as `person_key` of the database.
 */
export function personKey(name: string): string | null {
  const key = foldText(name.replace(ASIDE, ' ')).replaceAll(' ', '-').replace(TITLE, '$1');
  return key === '' ? null : key;
}

/** A code of the registry: digits alone, which no name is. */
export const isPersonCode = (text: string): boolean => /^\d{1,12}$/.test(text);

const KEY = /^[a-z0-9]{1,60}(-[a-z0-9]{1,60}){0,11}$/;

/** Whether a text is the one key of a name: another spelling of it is none, nor what is longer than names are. */
export const isPersonKey = (text: string): boolean =>
  KEY.test(text) && !isPersonCode(text) && personKey(text.replaceAll('-', ' ')) === text;
