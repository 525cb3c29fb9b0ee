// Notices of webhooks that were disabled (D29). A level: any process that finds one disabled and not noticed writes the
// mail and the event, and only one does.
import { accountEvent } from '../../domain/events/account-event';
import type { WebhookStore } from '../../store/webhooks/webhooks';
import { mailTo, TEXTS } from '../mail/texts';

export interface WebhookNoticeDeps {
  readonly store: Pick<WebhookStore, 'unmailed' | 'mailed'>;
  readonly baseUrl: string;
  /** A mail was written. */
  mailWritten(): void;
}

export async function mailDisabledWebhooks(
  { store, baseUrl, mailWritten }: WebhookNoticeDeps,
  nowMs: number,
): Promise<void> {
  const disabled = await store.unmailed();
  for (const one of disabled) {
    const { webhookId, reason, email, disabledAt } = one;
    const mail = email === null ? null : mailTo(email, TEXTS.webhookDisabled(baseUrl, webhookId, reason), nowMs);
    const event = accountEvent('account.webhook_disabled', disabledAt, { webhook_id: webhookId, reason });
    await store.mailed(one, { mail, event }, new Date(nowMs).toISOString());
  }
  if (disabled.length > 0) mailWritten();
}
