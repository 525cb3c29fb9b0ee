// Links that put the runner on a book's betslip (A 2.4 rule 6).
import { Type } from '@sinclair/typebox';
import { link, nullable, yes } from '../../wire/vocabulary';

const who =
  'Link that puts the runner on the book’s betslip, on Plus and above. Null if the book has no such link or its daily check ' +
  'fails; treat absent and null alike. Bookmakers do not support these links, and they may change without notice.';

export const betslip = {
  betslip_win_url: Type.Optional(nullable(link(who))),
  betslip_place_url: Type.Optional(nullable(link(who))),
  betslip_app_only: Type.Optional(
    nullable(yes('Whether the link opens only in the book’s app, on Plus and above; null without a link.')),
  ),
};
