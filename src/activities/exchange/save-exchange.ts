// Saves what only an exchange reports: its markets with both sides and their versions. Its prices are written before,
// like any book's.
import type { BookSnapshot } from '../../domain/race/feed-race';
import type { FeedReply } from '../../feeds/feed';
import type { ActivityDeps } from '../deps';

export async function saveExchange(
  { stores }: Pick<ActivityDeps, 'stores'>,
  raceId: string,
  reply: FeedReply<Pick<BookSnapshot, 'exchange'>>,
  mayWait = false,
): Promise<void> {
  if (reply.kind !== 'ok' || !reply.value.exchange) return;
  const { value, observedAt } = reply;
  await stores.exchange.saveMarkets({ markets: value.exchange!.markets, raceId, observedAt, mayWait });
}
