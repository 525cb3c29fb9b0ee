// Signs again what an older key has signed, so that the older key can be dropped.
import type { BulkManifestStore } from '../../store/bulk-manifests';
import type { Signer } from './signer';

const AT_ONCE = 500;

export interface ResignDeps {
  readonly manifest: Pick<BulkManifestStore, 'signedByOthers' | 'resign'>;
  readonly signer: Signer;
  /** Called during the work; may throw to end it. */
  alive(): void;
}

/**
 * Resolves to the number of manifests. Throws for one whose signature does not verify: its text was changed, or this
 * process lacks its key.
 */
export async function resignManifests({ manifest, signer, alive }: ResignDeps): Promise<number> {
  for (let done = 0; ; ) {
    const others = await manifest.signedByOthers(signer.keyId, AT_ONCE);
    if (others.length === 0) return done;
    const wrong = others.find(({ text, signature }) => !signer.verifies(text, signature));
    if (wrong) throw new Error(`the signature of a manifest does not verify: ${wrong.text}`);
    await manifest.resign(others.map(({ text }) => ({ text, signature: signer.sign(text) })));
    done += others.length;
    alive();
  }
}
