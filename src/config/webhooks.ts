// Where webhooks may be posted to besides public https addresses: three settings, each only for tests and the local
// stack (D60).
import { readFileSync } from 'node:fs';
import { ConfigError, type Environment } from './environment';

export interface WebhookRules {
  readonly allowLoopback: boolean;
  readonly allowHttp: boolean;
  /** A certificate authority that is trusted too, in PEM. */
  readonly ca?: string;
}

export function webhooksOf(env: Environment): WebhookRules {
  const { WEBHOOKS_ALLOW_LOOPBACK: allowLoopback, WEBHOOKS_ALLOW_HTTP: allowHttp, WEBHOOKS_TEST_CA: file } = env;
  return { allowLoopback, allowHttp, ...(file !== undefined && { ca: certificateIn(file) }) };
}

function certificateIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`WEBHOOKS_TEST_CA is '${file}', which cannot be read: ${(error as Error).message}`);
  }
}
