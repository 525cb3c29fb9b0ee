// Replays a saved stream file: at `speed` times the pace at which it was published, or as fast as the subscriber
// accepts it (Infinity). The `img` and `con` of a saved file mean nothing, so they are left out, and its messages go
// out as the live stream sends them.
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { MarketChangeMessage } from '../../../src/feeds/betfair/stream/payload';
import type { Published, Publisher } from '../../../src/simulator/stream/server';

// The module has no types of its own.
const { decode } = require('seek-bzip') as { decode(file: Buffer): Uint8Array };

/** The file's messages, unchanged. */
export function readSavedStream(file: string): readonly MarketChangeMessage[] {
  const text = Buffer.from(decode(readFileSync(file))).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as MarketChangeMessage);
}

/** `onTime` receives the instant of each message before it goes out; `done` resolves when the last one is out. */
export function replay(
  messages: readonly MarketChangeMessage[],
  speed: number,
  onTime: (ms: number) => void = () => undefined,
): Publisher & { readonly done: Promise<void> } {
  let finish: () => void;
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return {
    done,
    async publish(_subscription, send, signal) {
      let lastMs = messages[0]!.pt;
      for (const message of messages) {
        if (signal.aborted) return;
        const waitMs = (message.pt - lastMs) / speed;
        if (waitMs >= 1) await delay(waitMs);
        lastMs = message.pt;
        onTime(message.pt);
        await send(asLive(message));
      }
      finish();
    },
  };
}

const asLive = ({ pt, mc = [] }: MarketChangeMessage): Published => ({
  pt,
  mc: mc.map(({ img: _img, con: _con, ...change }) => change),
});
