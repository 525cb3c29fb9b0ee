// The name of a widget without a title, on its page and in the markup that frames it. Pure.
import { sportOf } from '../sports/sports';

/** `sportKey` null: of a racing widget. */
export const captionOf = (sportKey: string | null): string =>
  `${sportKey === null ? 'Racing' : (sportOf(sportKey)?.title ?? 'Sports')} odds`;

/** The page of a widget, which other sites frame. */
export const embedUrl = (baseUrl: string, embedId: string): string => `${baseUrl}/widgets/${embedId}`;

/** The markup that frames it. */
export const embedMarkup = (url: string, sportKey: string | null): string =>
  `<iframe src="${url}" title="${captionOf(sportKey)}" width="100%" height="640" style="border:0" loading="lazy"></iframe>`;
