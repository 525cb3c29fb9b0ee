// Ends the session of this browser (A 5.4).
import type { SessionStore } from '../../../store/accounts/sessions';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { sessionCookie } from '../../kernel/session/session';
import { SignedOut } from './signed-out-schema';

export const logout = endpoint<{ baseUrl: string; sessions: SessionStore }>()({
  method: 'post',
  path: '/v1/logout',
  operationId: 'logout',
  tag: 'Session',
  summary: 'Sign out',
  description: 'Ends the console session whose cookie is sent, and deletes the cookie.',
  auth: 'session',
  cost: flat(0),
  ofAccount: true,
  ok: {
    description: 'The session has ended.',
    schema: SignedOut,
    example: { status: 'signed_out' as const },
  },
  async handler({ session, browser, services: { sessions, baseUrl } }) {
    await sessions.remove(session!.tokenHash);
    browser!.setCookie(sessionCookie(baseUrl), '', 0);
    return { body: { status: 'signed_out' as const } };
  },
});
