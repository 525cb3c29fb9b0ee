// Mails the owners of webhooks that were disabled (D29). A level: any process that finds one disabled and not mailed
// writes its mail, and only one does.
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
  for (const { webhookId, reason, email } of disabled) {
    const mail = email === null ? null : mailTo(email, TEXTS.webhookDisabled(baseUrl, webhookId, reason), nowMs);
    await store.mailed(webhookId, mail, new Date(nowMs).toISOString());
  }
  if (disabled.length > 0) mailWritten();
}
