// Reads a race's pages one after the other. Parsing a page takes milliseconds, so one that differs from the race's last
// page in its time alone is not parsed again. Compared by digest, because a page may have 100 kB.
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { BookSnapshot } from '../../domain/race/feed-race';
import type { Mapped } from '../transport/reply';
import { mapRacePage } from './map';
import { racePath, type TabTouchRaceId } from './race-id';

/** The time of an open page's dividends, the only part that differs while no price moves. It has no meaning here. */
const AS_AT = /Dividends as at: \d{1,2}:\d{2}:\d{2}/g;

/**
 * What a page was mapped to is not measured, so its number is limited: the live races of a process, and some more. Wall
 * time: a race that ended is of no use.
 */
export const KEPT = { max: 300, ttl: 5 * 60_000, ttlAutopurge: true } as const;

interface LastPage {
  readonly digest: string;
  readonly mapped: Mapped<BookSnapshot>;
}

/** Null as for `mapRacePage`. */
export function createPageReader(): (html: unknown, id: TabTouchRaceId) => Mapped<BookSnapshot> | null {
  const last = new LRUCache<string, LastPage>(KEPT);
  return (html, id) => {
    if (typeof html !== 'string') return null;
    const digest = hash('sha256', html.replace(AS_AT, 'Dividends as at'), 'base64');
    const known = last.get(racePath(id));
    if (known?.digest === digest) return known.mapped;
    const mapped = mapRacePage(html, id);
    if (mapped) last.set(racePath(id), { digest, mapped });
    return mapped;
  };
}
