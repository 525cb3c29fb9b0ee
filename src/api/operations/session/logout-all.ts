// Ends every session of the account (A 5.4).
import type { SessionStore } from '../../../store/accounts/sessions';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { sessionCookie } from '../../kernel/session/session';
import { SignedOut } from './signed-out-schema';

export const logoutAll = endpoint<{ baseUrl: string; sessions: SessionStore }>()({
  method: 'post',
  path: '/v1/logout/all',
  operationId: 'logout_all',
  tag: 'Session',
  summary: 'Sign out everywhere',
  description: 'Ends every console session of the account, on every device. Keys keep working.',
  auth: 'session',
  cost: flat(0),
  ofAccount: true,
  ok: {
    description: 'Every session has ended.',
    schema: SignedOut,
    example: { status: 'signed_out' as const },
  },
  async handler({ session, browser, services: { sessions, baseUrl } }) {
    await sessions.removeAll(session!.accountId);
    browser!.setCookie(sessionCookie(baseUrl), '', 0);
    return { body: { status: 'signed_out' as const } };
  },
});
