// The audit of sports: the cross-check of all stored matches. Pushes were compared at the push
// (`api/operations/quality/push-audit.ts`).
import { crossCheckMatches } from '../../domain/quality/cross-check-matches';
import { figuresOf } from '../../domain/quality/findings';
import { aetDay } from '../../domain/time/aet';
import type { AuditDeps } from './audit-run';
import { crossFindingOf } from './cross-checked';
import { SERVED_BOOKS } from './served-race';

export async function auditMatches({ boardReads, now }: AuditDeps) {
  const nowMs = now();
  const matches = await boardReads.matches({ sportKey: null, after: new Date(nowMs).toISOString() });
  const served = matches.map((match) => ({
    ...match,
    books: match.books.filter(({ bookmaker }) => SERVED_BOOKS.includes(bookmaker)),
  }));
  const event = { key: ['sports', 'all matches', aetDay(nowMs)], eventId: null } as const;
  const findings = crossCheckMatches(served, nowMs).map((one) => crossFindingOf(one, event));
  return { figures: figuresOf([], findings.length), findings, levels: new Map() };
}
