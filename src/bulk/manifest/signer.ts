// Signs manifests (Ed25519, RFC 8032), and has the public keys to verify them by. No error shows a private key.
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/** Of 32 bytes each; the first one signs, the others have signed manifests that are still served. */
export type SigningKeys = readonly { readonly id: string; readonly key: Buffer }[];

export interface Signature {
  readonly algorithm: 'ed25519';
  readonly key_id: string;
  /** Base64. */
  readonly value: string;
}

/** As JSON Web Keys have it (RFC 8037). */
export interface PublicKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly use: 'sig';
  readonly alg: 'EdDSA';
  readonly kid: string;
  readonly x: string;
}

export interface Signer {
  /** Of the text’s UTF-8 bytes. */
  sign(text: string): Signature;
  /** Whether it is the signature of the text, by one of the keys. */
  verifies(text: string, signature: Signature): boolean;
  /** Of the key that signs. */
  readonly keyId: string;
  readonly publicKeys: readonly PublicKey[];
}

/** PKCS #8 of an Ed25519 key, before its 32 bytes (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Throws without a key. */
export function createSigner(keys: SigningKeys): Signer {
  const all = keys.map(({ id, key }) => ({ id, key: privateKeyOf(key) }));
  const [current] = all;
  if (!current) throw new Error('no key signs manifests');
  return {
    sign: (text) => ({
      algorithm: 'ed25519',
      key_id: current.id,
      value: sign(null, Buffer.from(text), current.key).toString('base64'),
    }),
    verifies(text, { key_id, value }) {
      const key = all.find(({ id }) => id === key_id)?.key;
      return key !== undefined && verify(null, Buffer.from(text), createPublicKey(key), Buffer.from(value, 'base64'));
    },
    keyId: current.id,
    publicKeys: all.map(({ id, key }) => publicKeyOf(id, key)),
  };
}

const privateKeyOf = (seed: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });

function publicKeyOf(kid: string, key: KeyObject): PublicKey {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return { kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA', kid, x };
}
