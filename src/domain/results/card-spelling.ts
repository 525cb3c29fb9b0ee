// Spells the runners of a published field as on our card: registries write names in capitals. A name is never respelled
// by rule: without another spelling on the card it stays as the registry writes it (D3).

import { runnerKey } from '../race/runner';
import type { CardRunner } from './field-agreement';
import type { ResultRunner } from './result';

const COUNTRY_OF_BIRTH = /\s*(\([a-z]{2,3}\))\s*$/i;

/**
 * The field with the names of our card for every runner whose number and folded name (`runnerKey`) are the same. A
 * country of birth that only the registry writes is kept, `Gold Trip (FR)`: books leave it out, and it distinguishes
 * namesakes. The registry's text stands if both write a country and they differ, and if the card has no runner or
 * another name for the number.
 */
export function spelledAsOnCard(field: readonly ResultRunner[], card: readonly CardRunner[]): readonly ResultRunner[] {
  const spellings = new Map(card.map(({ number, name }) => [number, name]));
  return field.map((runner) => ({ ...runner, name: spelling(runner.name, spellings.get(runner.number)) }));
}

function spelling(official: string, onCard: string | undefined): string {
  if (onCard === undefined || runnerKey(onCard) !== runnerKey(official)) return official;
  const [born, ours] = [official, onCard].map((name) => COUNTRY_OF_BIRTH.exec(name)?.[1]);
  if (born === undefined || born.toUpperCase() === ours?.toUpperCase()) return onCard;
  return ours === undefined ? `${onCard.trim()} ${born}` : official;
}
