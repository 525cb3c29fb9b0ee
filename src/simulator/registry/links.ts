// The registry's links to a horse in a race and to a person, with their codes.
import type { RegistryState } from '../../domain/registry/registry';
import type { Race, Runner } from '../world/race';
import { escaped } from './markup';
import { codeText, horseCodeOf, keyOf, personCodeOf, raceEntryCodeOf } from './meetings';

export function horseLink(race: Race, runner: Runner, state: RegistryState, stage: 'Acceptances' | 'Results'): string {
  const key = encodeURIComponent(keyOf(race.meeting, state));
  const codes = `horsecode=${codeText(horseCodeOf(race, runner))}&amp;raceentry=${codeText(raceEntryCodeOf(race, runner))}`;
  const query = `Key=${key}&amp;${codes}&amp;src=horseform&amp;stage=${stage}`;
  return `<a href="/InteractiveForm/HorseFullForm.aspx?${query}">${escaped(runner.name.toUpperCase())}</a>`;
}

const personLink = (page: string, parameter: string, name: string): string =>
  `<a href="/InteractiveForm/${page}.aspx?${parameter}=${codeText(personCodeOf(name))}">${escaped(name)}</a>`;

export const trainerLink = (name: string): string => personLink('TrainerLastRuns', 'trainercode', name);

/** With the claim after the name: `Ms Grace Palmer(a3/52kg)`. */
export function jockeyCell({ jockey, claimKg }: Pick<Runner, 'jockey' | 'claimKg'>): string {
  const claim = claimKg === null ? '' : `(a${claimKg}/52kg)`;
  return jockey === null ? '' : `${personLink('JockeyLastRuns', 'jockeycode', jockey)}${claim}`;
}
