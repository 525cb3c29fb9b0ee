// Requests at even distances, whatever fails between them.
import { atLeast, type Settings } from '../settings.ts';
import { type FollowSettings, Patience } from './patience.ts';

export interface RoundSettings extends FollowSettings {
  /** From the beginning of one request to that of the next. Default: 10. */
  readonly everySeconds?: number | undefined;
}

/** Yields what `request` resolves to, but not null. */
export async function* rounds<T>(
  settings: Settings,
  options: RoundSettings,
  request: () => Promise<T | null>,
): AsyncGenerator<T, never, undefined> {
  const everyMs = atLeast('everySeconds', 0, options.everySeconds ?? 10) * 1000;
  const patience = new Patience(settings, options);
  for (;;) {
    const begunAtMs = settings.now();
    let answer: T | null;
    try {
      answer = await request();
    } catch (error) {
      await patience.failed(error, Math.max(everyMs, 1000));
      continue;
    }
    if (answer !== null) yield answer;
    patience.answered();
    await settings.sleep(Math.max(0, begunAtMs + everyMs - settings.now()), options.signal);
  }
}
