// What the package exports.
export { OddsClient } from './client.ts';
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  CreditsError,
  ForbiddenError,
  FormatError,
  InvalidRequestError,
  NotFoundError,
  OddsError,
  type Problem,
  RateLimitError,
  TimeoutError,
  UnavailableError,
  WebhookVerificationError,
} from './errors.ts';
export { Board } from './follow/board.ts';
export type { ChangesBatch } from './follow/changes.ts';
export type { FollowSettings } from './follow/patience.ts';
export type { RoundSettings } from './follow/rounds.ts';
export type { ReplayBatch, ReplayEvent, StreamBatch, StreamEvent, StreamSettings } from './follow/stream.ts';
export type { components, operations, paths, webhooks } from './generated/openapi.ts';
export type { Credits, RateLimit } from './http/metering.ts';
export type { OddsClientOptions } from './settings.ts';
export type { CallSettings, DownloadSettings, Schemas } from './types.ts';
export { type VerifySettings, verifyWebhook, type WebhookEvent, type WebhookHeaders } from './webhook.ts';
