// Replies at the wrong time: the same reply again with newer timestamps, or an older reply after a newer one.
// The book computes its reply for another instant, so the reply is exactly the one it sent then.
import type { Middleware } from 'koa';
import type { Switch, Switches } from './switches';

const TURN_MS = 10_000;
const OLDER_BY_MS = 30_000;
/** A scenario that is on from the start repeats the reply of the last full half hour. */
const HALF_AN_HOUR_MS = 30 * 60_000;

/** The instant of the reply. Pure in the switch and the clock. */
const AS_OF: ReadonlyMap<string, (on: Switch, nowMs: number) => number> = new Map([
  ['duplicated', ({ fromMs }, nowMs) => fromMs || Math.floor(nowMs / HALF_AN_HOUR_MS) * HALF_AN_HOUR_MS],
  ['out_of_order', (_, nowMs) => (Math.floor(nowMs / TURN_MS) % 2 === 1 ? nowMs - OLDER_BY_MS : nowMs)],
]);

/** Sets `ctx.state.asOfMs`, the instant of the book's reply. */
export function faultyReplies(switches: Switches, now: () => number): Middleware {
  return async (ctx, next) => {
    const nowMs = now();
    const on = switches.of(ctx.path.split('/', 2)[1] ?? '', nowMs).findLast((one) => AS_OF.has(one.scenario));
    if (!on) return next();
    const asOfMs = AS_OF.get(on.scenario)!(on, nowMs);
    ctx.state.asOfMs = asOfMs;
    await next();
    if (on.scenario !== 'duplicated' || typeof ctx.body !== 'string') return;
    // Sends the whole reply again, even to a caller with its ETag.
    ctx.state.tagged = null;
    const { type } = ctx;
    ctx.body = restamped(ctx.body, asOfMs, nowMs);
    ctx.type = type;
  };
}

/** Replaces the reply's instant, in ISO 8601 or epoch milliseconds, with the new one. */
function restamped(body: string, fromMs: number, toMs: number): string {
  const iso = (ms: number): string => new Date(ms).toISOString().slice(0, 23);
  return body.replaceAll(iso(fromMs), iso(toMs)).replaceAll(`${fromMs}`, `${toMs}`);
}
