// Reports to the pages of the live board which races the shared reading changed.
import type { PriceMoves } from '../../../web/board/source';
import type { ChangesFeed } from './feed';

const AGAIN_MS = 5000;

export const movesOf = (feed: ChangesFeed): PriceMoves => ({
  watch(changed) {
    let isOver = false;
    let leave = (): void => {};
    const join = (): void => {
      if (isOver) return;
      feed.follow(follower).then((ends) => {
        leave = ends;
        if (isOver) leave();
      }, again);
    };
    const again = (): void => void setTimeout(join, AGAIN_MS).unref();
    const follower = {
      read: ({ races }: { readonly races: readonly { readonly race_id: string }[] }) => {
        if (races.length > 0) changed(new Set(races.map(({ race_id }) => race_id)));
      },
      lost: again,
    };
    join();
    return () => {
      isOver = true;
      leave();
    };
  },
});
