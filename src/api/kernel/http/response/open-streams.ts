// Limits how many downloads a key has open at once in this process (D46): each occupies memory and a connection for as
// long as its client reads.
import { AppError } from '../../../../errors';

const MOST_OPEN = 4;
const COME_BACK_SECONDS = 5;

export interface OpenStreams {
  /** Throws `rate_limit` past the limit. Call the returned function when the stream has ended. */
  enter(caller: { readonly keyId: string }): () => void;
}

export function createOpenStreams(most = MOST_OPEN): OpenStreams {
  const open = new Map<string, number>();
  return {
    enter({ keyId }) {
      const count = open.get(keyId) ?? 0;
      if (count >= most) {
        const detail = `This key has ${count} downloads under way, the most at once. Wait until one has ended.`;
        throw new AppError('rate_limit', detail, { retry_after_seconds: COME_BACK_SECONDS });
      }
      open.set(keyId, count + 1);
      return () => {
        const left = (open.get(keyId) ?? 1) - 1;
        if (left > 0) open.set(keyId, left);
        else open.delete(keyId);
      };
    },
  };
}
