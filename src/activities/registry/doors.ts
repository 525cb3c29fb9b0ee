// The doors of this process: one to each registry's site, through which all of its reads pass (D49). They share the
// pace of all processes and store the obstacles they meet; behind a wall the registry's gate is started.
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { type RaceClock, toWallDelayMs } from '../../domain/time/clock';
import { createDoor, type DoorOptions } from '../../feeds/door/create-door';
import type { Door } from '../../feeds/door/door';
import { createLevel, type StoredLevels } from '../../feeds/door/level';
import type { SharedPace } from '../../feeds/door/registry-pace';
import type { Log } from '../../log';
import { startGate } from './gate';

export interface DoorParts extends Pick<SharedPace, 'turns' | 'source'>, Pick<DoorOptions, 'formPatienceMs'> {
  readonly levels: StoredLevels;
  readonly client: Client;
  readonly clock: RaceClock;
  /** Race time, epoch milliseconds. */
  readonly now: () => number;
  /** Race time between two pages, so a fast clock shortens it. */
  readonly spacingMs: number;
  /** Wall. The longest that a page may take. */
  readonly callWithinMs: number;
  readonly log: Pick<Log, 'warn'>;
}

/** Wall time. For storing a page that took all its time. */
const LEASE_MARGIN_MS = 1000;

export function createDoors(parts: DoorParts): (registry: string) => Door {
  const { turns, source, levels, client, clock, now, spacingMs, callWithinMs, formPatienceMs, log } = parts;
  const toWall = (raceMs: number): number => toWallDelayMs(clock, raceMs);
  const shared: SharedPace = {
    turns,
    source,
    spacingMs: toWall(spacingMs),
    leaseMs: callWithinMs + LEASE_MARGIN_MS,
  };
  return (registry) => {
    const onWalled = (): void => {
      log.warn({ registry }, 'this registry refuses us: nothing is read there until its gate has read a page');
      // The Schedule starts it within a minute, if this cannot.
      startGate(client, registry).catch((err) => log.warn({ registry, err }, 'the gate could not be started'));
    };
    const level = createLevel({ registry, levels, now, toWall, onWalled });
    return createDoor({ registry, now, spacingMs, wait: (ms) => delay(toWall(ms)), shared, level, formPatienceMs });
  };
}
