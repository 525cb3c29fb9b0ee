// Whether the servers that a process needs answer. They are queried in the background, one query at a time, so that
// neither callers nor a hanging server can pile queries up.
import { metrics, type ObservableResult } from '@opentelemetry/api';

export interface Need {
  readonly name: string;
  /** Resolves when the server answers. Must end by itself within about `withinMs`. */
  ask(withinMs: number): Promise<unknown>;
}

interface Readiness {
  readonly ok: boolean;
  /** By need: whether it answered recently, and the reason if it did not. */
  readonly needs: Readonly<Record<string, { readonly ok: boolean; readonly reason?: string }>>;
}

export interface ReadinessWatch {
  now(): Readiness;
  /** By need, in seconds: the duration of the last answer, or of the next so far if that is longer. */
  answerTimes(): readonly (readonly [need: string, seconds: number])[];
  close(): void;
}

/** Wall. */
const ASK_EVERY_MS = 2000;
const ANSWER_WITHIN_MS = 4000;
/** No answer for this long is "not ready": a single slow answer is not. */
const FRESH_FOR_MS = ASK_EVERY_MS + 2 * ANSWER_WITHIN_MS;

const meter = metrics.getMeter('racing-odds/process');
const ready = meter.createObservableGauge('racing.ready', {
  description: 'Whether a server that this process needs answered lately, 1 or 0',
});
const answerTime = meter.createObservableGauge('racing.answer.time', {
  unit: 's',
  description:
    'How long a server that this process needs took for its last answer to a question about nothing, or is taking for the next',
});

export function watchReadiness(needs: readonly Need[], reasonOf: (error: unknown) => string): ReadinessWatch {
  const watched = needs.map(watchedOf);
  const askAll = () => {
    for (const each of watched) {
      if (each.asking) continue;
      each.asking = true;
      each.askedMs = performance.now();
      each.need
        .ask(ANSWER_WITHIN_MS)
        .then(
          () => {
            each.answeredMs = performance.now();
            each.tookMs = each.answeredMs - each.askedMs;
            each.reason = '';
          },
          (error) => {
            each.reason = reasonOf(error);
          },
        )
        .finally(() => {
          each.asking = false;
        });
    }
  };
  askAll();
  const timer = setInterval(askAll, ASK_EVERY_MS).unref();
  const now = (): Readiness => {
    const states = watched.map(({ need, answeredMs, reason }) => {
      const ok = performance.now() - answeredMs < FRESH_FOR_MS;
      return [need.name, ok ? { ok } : { ok, reason: reason || 'no answer yet' }] as const;
    });
    return { ok: states.every(([, { ok }]) => ok), needs: Object.fromEntries(states) };
  };
  const observe = (result: ObservableResult) => {
    for (const [need, { ok }] of Object.entries(now().needs)) result.observe(ok ? 1 : 0, { need });
  };
  const answerTimes = () => watched.map((each) => [each.need.name, answerSeconds(each)] as const);
  const observeTimes = (result: ObservableResult) => {
    for (const [need, seconds] of answerTimes()) result.observe(seconds, { need });
  };
  ready.addCallback(observe);
  answerTime.addCallback(observeTimes);
  return {
    now,
    answerTimes,
    close: () => {
      clearInterval(timer);
      ready.removeCallback(observe);
      answerTime.removeCallback(observeTimes);
    },
  };
}

const watchedOf = (need: Need) => ({
  need,
  asking: false,
  answeredMs: Number.NEGATIVE_INFINITY,
  askedMs: 0,
  tookMs: 0,
  reason: '',
});

const answerSeconds = ({ asking, askedMs, tookMs }: ReturnType<typeof watchedOf>): number =>
  Math.max(tookMs, asking ? performance.now() - askedMs : 0) / 1000;
