// Links that put the runner on a book's betslip (A 2.4 rule 6).
import { Type } from '@sinclair/typebox';
import { link, nullable, yes } from '../vocabulary';

const who =
  'Plus and above. Null where the book has no route or its daily check fails; treat absent and null alike as no link. Unsupported by ' +
  'the books, and may change without notice.';

export const betslip = {
  betslip_win_url: Type.Optional(nullable(link(who))),
  betslip_place_url: Type.Optional(nullable(link(who))),
  betslip_app_only: Type.Optional(
    nullable(yes('Plus and above: the link opens the book’s app only; null without a link.')),
  ),
};
