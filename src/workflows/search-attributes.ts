// Search attributes of races, jobs and gates in the Temporal UI. Values are sent only when they change, because each
// upsert is an event of the history. The stack registers the same names with the server
// (scripts/servers/search-attributes.json).
import { defineSearchAttributeKey, SearchAttributeType, type SearchAttributeUpdatePair } from '@temporalio/common';
import { upsertSearchAttributes } from '@temporalio/workflow';
import type { RaceState } from '../domain/lifecycle/lifecycle';
import type { RaceInput } from './contract';

const RACE_PHASE = defineSearchAttributeKey('RacePhase', SearchAttributeType.KEYWORD);
const POLL_TIER = defineSearchAttributeKey('PollTier', SearchAttributeType.KEYWORD);
const FIELD_STATUS = defineSearchAttributeKey('FieldStatus', SearchAttributeType.KEYWORD);
const VENUE = defineSearchAttributeKey('Venue', SearchAttributeType.KEYWORD);
const CATEGORY = defineSearchAttributeKey('Category', SearchAttributeType.KEYWORD);
const COUNTRY = defineSearchAttributeKey('Country', SearchAttributeType.KEYWORD);
const ADVERTISED_START = defineSearchAttributeKey('AdvertisedStart', SearchAttributeType.DATETIME);

const WORK_STATUS = defineSearchAttributeKey('WorkStatus', SearchAttributeType.KEYWORD);

const EVENT_TYPE = defineSearchAttributeKey('EventType', SearchAttributeType.KEYWORD);

/** The state of a job, a gate or a delivery (D62): only on changes. */
export const showWork = (status: string): void => upsertSearchAttributes([{ key: WORK_STATUS, value: status }]);

/** Of a delivery's workflow, at its beginning. */
export const showDelivery = (event: string): void =>
  upsertSearchAttributes([
    { key: WORK_STATUS, value: 'retrying' },
    { key: EVENT_TYPE, value: event },
  ]);

const labelsOf = (input: RaceInput, state: RaceState): SearchAttributeUpdatePair[] => [
  { key: RACE_PHASE, value: state.phase },
  { key: POLL_TIER, value: state.tier },
  { key: FIELD_STATUS, value: state.field?.status ?? null },
  { key: VENUE, value: input.venue },
  { key: CATEGORY, value: input.category },
  { key: COUNTRY, value: input.country },
  { key: ADVERTISED_START, value: new Date(state.advertisedStart) },
];

/** Returns the function that updates the attributes to a state. */
export function createLabels(input: RaceInput): (state: RaceState) => void {
  const shown = new Map<string, string>();
  return (state) => {
    const changed = labelsOf(input, state).filter(({ key, value }) => shown.get(key.name) !== JSON.stringify(value));
    for (const { key, value } of changed) shown.set(key.name, JSON.stringify(value));
    if (changed.length > 0) upsertSearchAttributes(changed);
  };
}
