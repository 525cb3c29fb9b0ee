// What a widget without a title is called, in its page and in the markup that frames it. Pure.
import { sportOf } from '../sports/sports';

/** `sportKey` null: of a racing widget. */
export const captionOf = (sportKey: string | null): string =>
  `${sportKey === null ? 'Racing' : (sportOf(sportKey)?.title ?? 'Sports')} odds`;
