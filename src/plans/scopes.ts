// What the key of a team may be used for (D68). A key without scopes may do all that the account may.

export const SCOPES = ['read', 'archive', 'webhooks', 'backfill'] as const;
export type Scope = (typeof SCOPES)[number];
