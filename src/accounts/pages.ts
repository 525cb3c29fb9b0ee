// Addresses of the pages that mails name: each shows a button that posts the token, because scanners of mail open every
// link (D40). A token is only ever in the query of these pages.

export const PAGES = {
  signup: '/signup',
  login: '/login',
  forgot: '/forgot',
  account: '/account',
  passkeys: '/account/passkeys',
  alerts: '/account/alerts',
  stopAlerts: '/alerts/stop',
  stopCreditMails: '/credit-mails/stop',
  verify: '/verify',
  loginLink: '/login/link',
  reset: '/reset',
  replaceKey: '/replace-key',
  confirmAddress: '/confirm-address',
  undoAddress: '/undo-address',
} as const;

export const linkTo = (baseUrl: string, page: keyof typeof PAGES, token: string): string =>
  `${baseUrl}${PAGES[page]}?token=${token}`;

/** Where a customer who was recommended the service signs up. */
export const referralLink = (baseUrl: string, code: string): string => `${baseUrl}${PAGES.signup}?referral=${code}`;
