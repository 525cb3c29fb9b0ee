// A client of server-sent events, which reads them as the standard describes: it remembers the last id, and delivers
// events in order.
import { PATIENT_MS } from '../patient';

export interface StreamEvent {
  readonly event: string;
  /** The id of this event only. */
  readonly id?: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever JSON came.
  readonly data: any;
}

export interface StreamClient {
  readonly status: number;
  readonly headers: Headers;
  readonly lastEventId: string;
  readonly comments: readonly string[];
  /** Everything received so far. */
  readonly events: readonly StreamEvent[];
  /** The first event from `from` on that passes, once it has arrived. Rejects if the stream ends without it. */
  until(passes: (event: StreamEvent) => boolean, from?: number): Promise<StreamEvent>;
  /** Resolves once the server has closed the stream. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

const CHANGES = '/v1/racing/changes/stream';

export async function openStream(
  url: string,
  key: string,
  { path = CHANGES, search = '', lastEventId }: { path?: string; search?: string; lastEventId?: string } = {},
): Promise<StreamClient> {
  const left = new AbortController();
  const response = await fetch(`${url}${path}${search}`, {
    headers: { 'X-API-Key': key, ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }) },
    signal: left.signal,
  });
  const events: StreamEvent[] = [];
  const comments: string[] = [];
  const state = { id: lastEventId ?? '', isOver: false };
  let wake = Promise.withResolvers<void>();

  const take = (block: string): void => {
    const fields: Record<string, string> = {};
    for (const line of block.split('\n')) {
      const [, name, value] = /^([^:]*): ?(.*)$/.exec(line)!;
      if (name === '') comments.push(value!);
      else fields[name!] = value!;
    }
    if (fields.id !== undefined) state.id = fields.id;
    if (fields.data === undefined) return;
    const data = JSON.parse(fields.data);
    events.push({ event: fields.event!, ...(fields.id !== undefined && { id: fields.id }), data });
  };

  const read = async (): Promise<void> => {
    let text = '';
    const decoder = new TextDecoder();
    try {
      for await (const bytes of response.body!) {
        text += decoder.decode(bytes, { stream: true });
        const blocks = text.split('\n\n');
        text = blocks.pop()!;
        blocks.forEach(take);
        wake.resolve();
        wake = Promise.withResolvers();
      }
    } catch {
      // One of the sides has disconnected.
    }
    state.isOver = true;
    wake.resolve();
  };
  const ended = read();

  return {
    status: response.status,
    headers: response.headers,
    get lastEventId() {
      return state.id;
    },
    comments,
    events,
    async until(passes, from = 0) {
      const late = AbortSignal.timeout(PATIENT_MS);
      for (let at = from; ; at++) {
        while (at >= events.length) {
          if (state.isOver || late.aborted)
            throw new Error(`no such event among ${JSON.stringify(events.slice(from)).slice(0, 2000)}`);
          await Promise.race([wake.promise, new Promise((done) => late.addEventListener('abort', done))]);
        }
        if (passes(events[at]!)) return events[at]!;
      }
    },
    ended,
    async close() {
      left.abort();
      await ended;
    },
  };
}

export const named =
  (name: string) =>
  ({ event }: StreamEvent): boolean =>
    event === name;
