// The key that signs manifests in tests, and manifests of files that no build has made.
import { canonicalText, type PeriodManifest } from '../../src/bulk/manifest/period-manifest';
import { createSigner } from '../../src/bulk/manifest/signer';
import type { SignedManifest } from '../../src/store/bulk-manifests';

export const SIGNER = createSigner([{ id: 'test', key: Buffer.alloc(32, 7) }]);

export function signedManifest(more: Pick<PeriodManifest, 'dataset' | 'period' | 'files'>): SignedManifest {
  const text = canonicalText({
    version: 1,
    schema_version: 'x',
    rows: 1,
    generated_at: '2026-11-21T00:00:00.000Z',
    sort_key: { columns: ['start_time'], first: null, last: null },
    times: [{ column: 'start_time', min: null, max: null }],
    ...more,
  } satisfies PeriodManifest);
  return { text, signature: SIGNER.sign(text) };
}
