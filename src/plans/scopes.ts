// What a team key may be used for (D68). A key without scopes may do everything that the account may.

export const SCOPES = ['read', 'archive', 'webhooks', 'backfill'] as const;
export type Scope = (typeof SCOPES)[number];
