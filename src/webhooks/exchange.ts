// A request and its response: the status and Retry-After, in time or not at all. Nothing of the body is kept; a long or
// slow one is cut off, because the status has decided by then.
import type { Dispatcher } from 'undici';
import type { Answer } from './outcome';

export interface PostPatience {
  /** For a whole attempt until its status, including name resolution and connection. */
  readonly headMs: number;
  /** For the body after that. */
  readonly bodyMs: number;
}

/** The receiver did not respond in time. */
export const LATE = new Error('no response in time');
const TOO_MANY_INFOS = Object.assign(new Error('informational responses without end'), { code: 'UND_ERR_INFO' });
const CUT = new Error('the body is of no interest');

const MOST_BODY_BYTES = 16_384;
/** Heads of a response before its own (1xx). */
const MOST_INFOS = 5;

/** Rejects with `LATE`, `TOO_MANY_INFOS`, or an error of the connection. */
export const exchange = (
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  patience: PostPatience,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    dispatcher.dispatch(request, new Reader(patience, resolve, reject));
  });

class Reader implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | null = null;
  private answer: Answer | null = null;
  private infos = 0;
  private bytes = 0;
  private timer: NodeJS.Timeout;
  private isLate = false;

  constructor(
    private readonly patience: PostPatience,
    private readonly resolve: (answer: Answer) => void,
    private readonly reject: (error: Error) => void,
  ) {
    this.timer = setTimeout(() => this.late(), patience.headMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.isLate) controller.abort(LATE);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (statusCode < 200) {
      this.infos += 1;
      if (this.infos > MOST_INFOS) controller.abort(TOO_MANY_INFOS);
      return;
    }
    this.answer = { statusCode, retryAfter: [headers['retry-after']].flat()[0] };
    clearTimeout(this.timer);
    this.timer = setTimeout(() => controller.abort(CUT), this.patience.bodyMs);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.bytes > MOST_BODY_BYTES) controller.abort(CUT);
  }

  onResponseEnd(): void {
    this.end(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.end(error);
  }

  private late(): void {
    this.isLate = true;
    this.controller?.abort(LATE);
    // It may not have been connected yet.
    this.end(LATE);
  }

  private end(error: Error | null): void {
    clearTimeout(this.timer);
    if (this.answer) this.resolve(this.answer);
    else this.reject(this.isLate ? LATE : error!);
  }
}
