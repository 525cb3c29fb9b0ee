// What an answer reports about the credits and limits of its key. Without a limit: Infinity. Not reported: null.

export interface Credits {
  /** Of the last answer. */
  readonly cost: number;
  readonly used: number;
  readonly limit: number;
  readonly remaining: number;
  /** From 80 percent on. */
  readonly isApproachingLimit: boolean;
  /** The cheapest plan for your use, if the balance is short. */
  readonly upgradePlan: string | null;
}

export interface RateLimit {
  /** Requests per minute. */
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

export function creditsOf(headers: Headers): Credits | null {
  const [cost, used, limit, remaining] = ['Cost', 'Used', 'Limit', 'Remaining'].map((name) =>
    numberOf(headers.get(`X-Credits-${name}`)),
  );
  if (cost == null || used == null || limit == null || remaining == null) return null;
  const isApproachingLimit = headers.get('X-Credits-Warning') === 'approaching-limit';
  return { cost, used, limit, remaining, isApproachingLimit, upgradePlan: headers.get('X-Upgrade-Plan') };
}

export function rateLimitOf(headers: Headers): RateLimit | null {
  const [limit, remaining, resetSeconds] = ['Limit', 'Remaining', 'Reset'].map((name) =>
    numberOf(headers.get(`X-RateLimit-${name}`)),
  );
  return limit == null || remaining == null || resetSeconds == null ? null : { limit, remaining, resetSeconds };
}

function numberOf(text: string | null): number | null {
  if (text === 'unlimited') return Number.POSITIVE_INFINITY;
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}
