// When our servers' certificates expire. An open connection outlives its certificate, so nothing else shows the expiry
// before every new connection is refused.
import { TLSSocket } from 'node:tls';
import { metrics } from '@opentelemetry/api';

/** By server: epoch ms, wall. */
const ends = new Map<string, number>();

metrics
  .getMeter('racing-odds/store')
  .createObservableGauge('racing.certificate.left', {
    unit: 's',
    description: 'Until the end of the certificate that a server showed at the newest connection over TLS',
  })
  .addCallback((gauge) => {
    for (const [server, seconds] of certificatesLeft(Date.now())) gauge.observe(seconds, { server });
  });

/** By server, in seconds; below 0: it has expired. `nowMs`: wall. */
export const certificatesLeft = (nowMs: number): readonly (readonly [server: string, seconds: number])[] =>
  [...ends].map(([server, endMs]) => [server, Math.round((endMs - nowMs) / 1000)] as const);

/** `socket`: of a new connection. Nothing is recorded without TLS. */
export function noteCertificate(server: string, socket: unknown): void {
  const endMs = socket instanceof TLSSocket ? Date.parse(socket.getPeerCertificate().valid_to) : Number.NaN;
  if (!Number.isNaN(endMs)) ends.set(server, endMs);
}
