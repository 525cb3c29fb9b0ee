// The verdict on a row: the match that it is, a new one, or why it is neither.
import type { NewEvent } from './new-event';
import type { Evidence } from './same-match';

export type Placed =
  /** `swapped`: the book lists the teams the other way round. */
  | {
      readonly kind: 'known';
      readonly eventId: string;
      readonly swapped: boolean;
      readonly because: Evidence;
      readonly apartMs: number;
    }
  /** `twinOf`: the match that the book listed before and that it may be, moved. */
  | { readonly kind: 'new'; readonly event: NewEvent; readonly twinOf: string | null }
  | {
      readonly kind: 'refused';
      readonly reason: 'unreadable_team' | 'same_team' | 'repeated' | 'ambiguous_event' | 'prices_disagree' | 'started';
      /** The match that it may be, if there is one. */
      readonly eventId?: string;
    };
