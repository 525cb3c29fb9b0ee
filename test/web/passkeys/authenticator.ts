// An authenticator in software: P-256 keys, with each fault that a response can have. Writes what a browser writes as
// JSON (WebAuthn, 5.8).
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** As a page has them for the browser. */
export interface PasskeyPageOptions {
  readonly challenge: string;
  readonly rp?: { readonly id: string };
  readonly rpId?: string;
  readonly user?: { readonly id: string };
  readonly excludeCredentials?: readonly { readonly id: string }[];
}

export interface Faults {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly crossOrigin?: boolean;
  readonly challenge?: string;
  readonly isVerified?: boolean;
  readonly isPresent?: boolean;
  readonly counter?: number;
  readonly credentialId?: Buffer;
  readonly userHandle?: string;
  /** Signs with this key. */
  readonly key?: KeyObject;
  /** CBOR of a statement about the device, with its format. */
  readonly attestation?: { readonly format: string; readonly statement: Buffer };
}

export interface SoftPasskey {
  readonly id: Buffer;
  readonly userHandle: string;
  get(options: PasskeyPageOptions, faults?: Faults): string;
  /** Adds the same again. */
  create(options: PasskeyPageOptions, faults?: Faults): string;
}

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest();
const text = (value: string): Buffer => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);

export const newSigningKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

/** `origin`: of the page. `counts`: whether it counts its signatures. */
export function softPasskey(origin: string, options: PasskeyPageOptions, { counts = true } = {}): SoftPasskey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  const userHandle = options.user!.id;
  let counter = 0;

  const clientData = (type: string, { challenge }: PasskeyPageOptions, faults: Faults): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...namedOf(faults) }));
  const authenticatorData = (rpId: string, faults: Faults, credential?: Buffer): Buffer => {
    const flags = ((faults.isPresent ?? true) ? 1 : 0) | ((faults.isVerified ?? true) ? 4 : 0) | (credential ? 64 : 0);
    const head = Buffer.alloc(5, flags);
    head.writeUInt32BE(faults.counter ?? (counts ? ++counter : 0), 1);
    return Buffer.concat([sha256(faults.rpId ?? rpId), head, credential ?? Buffer.alloc(0)]);
  };
  const written = (response: object, credentialId: Buffer = id): string => {
    const name = credentialId.toString('base64url');
    return JSON.stringify({ id: name, rawId: name, type: 'public-key', clientExtensionResults: {}, response });
  };

  return {
    id,
    userHandle,
    get(asked, faults = {}) {
      const client = clientData('webauthn.get', asked, faults);
      const data = authenticatorData(asked.rpId!, faults);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), faults.key ?? privateKey);
      const response = { clientDataJSON: client, authenticatorData: data, signature };
      const handle = faults.userHandle ?? userHandle;
      return written({ ...inBase64url(response), userHandle: handle }, faults.credentialId);
    },
    create(asked, faults = {}) {
      const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string };
      const point = [x, y].map((one) => Buffer.from(one, 'base64url')) as [Buffer, Buffer];
      const cose = [COSE, point[0], Buffer.from('225820', 'hex'), point[1]];
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const credential = Buffer.concat([Buffer.alloc(16), length, id, ...cose]);
      const data = authenticatorData(asked.rp!.id, faults, credential);
      const { format, statement } = faults.attestation ?? { format: 'none', statement: Buffer.from([0xa0]) };
      const size = Buffer.from([0x58, data.length]);
      const pairs = [text('fmt'), text(format), text('attStmt'), statement, text('authData'), size, data];
      const attestationObject = Buffer.concat([Buffer.from([0xa3]), ...pairs]);
      return written(inBase64url({ clientDataJSON: clientData('webauthn.create', asked, faults), attestationObject }));
    },
  };
}

/** A map of five: an elliptic key for ES256 on P-256, up to its first coordinate. */
const COSE = Buffer.from('a5010203262001215820', 'hex');

const inBase64url = (members: Readonly<Record<string, Buffer>>): object =>
  Object.fromEntries(Object.entries(members).map(([name, bytes]) => [name, bytes.toString('base64url')]));

const namedOf = ({ origin, type, crossOrigin, challenge }: Faults): object =>
  Object.fromEntries(Object.entries({ origin, type, crossOrigin, challenge }).filter(([, one]) => one !== undefined));
