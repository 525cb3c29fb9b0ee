// One open response of events of the past. They come as fast as its client reads them, and never faster: what waits for
// it is one batch.
import type { Context } from 'koa';
import { PLAY_TYPES, writeEventHead } from '../http/response/event-connection';
import type { PlayedEvent, PlayFormat } from '../http/response/reply';
import { cutWhenStalled } from '../http/response/streamed';
import { retryBytes } from '../stream/event-text';

export interface PlayBounds {
  /** A client that reads nothing for this long is gone. Wall time. */
  readonly stalledAfterMs: number;
  /** Wall time that a client has to read the rest when its replay ends. */
  readonly lingerMs: number;
}

/** What a client may have been sent and not got, in the buffers on its way, in bytes. */
const UNREAD_BYTES = 16 * 1024 * 1024;
/** Between two marks. */
const MARK_BYTES = 256 * 1024;

const LINE: Readonly<Record<PlayFormat, (event: PlayedEvent) => string>> = {
  sse: ({ event, id, data }) => `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`,
  ndjson: ({ event, id, data }) => `{${id === undefined ? '' : `"id":"${id}",`}"event":"${event}","data":${data}}\n`,
};
const QUIET: Readonly<Record<PlayFormat, string>> = { sse: ': \n\n', ndjson: '\n' };

export class PlayConnection {
  isOpen = true;
  /** At least one event was sent. */
  hasSent = false;
  private readonly left = new AbortController();
  private readonly ends: (() => void)[] = [];
  /** Ids, and how many bytes were sent up to them. */
  private readonly marks: { readonly id: string; readonly bytes: number }[] = [];
  private bytes = 0;
  private read = '';

  constructor(
    private readonly ctx: Context,
    private readonly format: PlayFormat,
    private readonly bounds: PlayBounds,
  ) {
    ctx.res.once('close', () => this.close());
    if (ctx.res.closed) this.close();
  }

  /** Aborted when it is closed or ends. */
  get signal(): AbortSignal {
    return this.left.signal;
  }

  /** The last id that the client must have got, as far as that is known. */
  get readUpTo(): string {
    return this.read;
  }

  /** Called once, when the connection is closed or ends, by either side. */
  onEnd(work: () => void): void {
    if (this.isOpen) this.ends.push(work);
    else work();
  }

  /** `id`: where it goes on. Server-sent events begin with it. */
  begin(id: string, retryMs: number): void {
    this.read = id;
    writeEventHead(this.ctx, PLAY_TYPES[this.format]);
    if (this.format === 'sse') this.ctx.res.write(`id: ${id}\n${retryBytes(retryMs)}`);
    const stall = cutWhenStalled(this.ctx, this.bounds.stalledAfterMs);
    this.ctx.res.once('close', () => clearInterval(stall));
  }

  /** Resolves when the client is ready for more, or is gone. */
  async send(events: readonly PlayedEvent[]): Promise<void> {
    if (!this.isOpen) return;
    const text = events.map(LINE[this.format]).join('');
    this.hasSent = true;
    this.mark(text.length, events.findLast(({ id }) => id !== undefined)?.id);
    if (!this.ctx.res.write(text)) await this.drained();
  }

  /** For when nothing else is sent. */
  beat(): void {
    if (this.isOpen && !this.ctx.res.writableNeedDrain) this.ctx.res.write(QUIET[this.format]);
  }

  /** Sends what waits, then this, and closes the connection. */
  end(last?: PlayedEvent): void {
    if (!this.isOpen) return;
    this.close();
    const { res } = this.ctx;
    if (!res.headersSent) return;
    res.end(last && LINE[this.format](last));
    setTimeout(() => res.destroy(), this.bounds.lingerMs).unref();
  }

  private mark(bytes: number, id: string | undefined): void {
    this.bytes += bytes;
    const last = this.marks.at(-1)?.bytes ?? 0;
    if (id !== undefined && this.bytes - last >= MARK_BYTES) this.marks.push({ id, bytes: this.bytes });
    while (this.marks[0] && this.marks[0].bytes <= this.bytes - UNREAD_BYTES) this.read = this.marks.shift()!.id;
  }

  /** Also when it is closed. */
  private drained(): Promise<void> {
    const { res } = this.ctx;
    return new Promise((done) => {
      const go = (): void => {
        res.off('drain', go).off('close', go);
        done();
      };
      res.on('drain', go).on('close', go);
    });
  }

  private close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.left.abort();
    for (const work of this.ends) work();
  }
}
