// A notice, for tests of the change that it is written with.
import { accountEvent } from '../../../src/domain/events/account-event';

export const noticeAt = (at: string) => ({
  mail: (recipient: string) => ({ recipient, subject: 's', body: 'b', at, giveUpAt: at }),
  event: () => accountEvent('account.password_changed', at, {}),
});
