// What a browser is requested to do with a passkey, and whether its response is right (WebAuthn). Never accepts a
// signature without verification of the user, nor one that was made for another challenge, origin or service.
import { isIP } from 'node:net';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeAttestationObject, decodeClientDataJSON, isoBase64URL } from '@simplewebauthn/server/helpers';
import { AppError } from '../../errors';
import { ownOrigins } from '../../own-origin';
import type { PasskeyName } from '../../store/accounts/passkeys/passkeys';

/** Of which a passkey is: the service by its own addresses, whatever a request has as its `Host`. */
interface Site {
  readonly name: string;
  readonly origins: readonly string[];
}

/** Throws `conflict`: a passkey needs a name, and this service has an address only. */
export function relyingPartyOf({
  baseUrl,
  otherOrigins,
}: {
  readonly baseUrl: string;
  readonly otherOrigins?: readonly string[];
}): Site {
  const { hostname } = new URL(baseUrl);
  if (isIP(hostname) !== 0 || hostname.startsWith('['))
    throw new AppError('conflict', `Passkeys need a host name, and this service is at the address ${hostname}.`);
  return { name: hostname, origins: ownOrigins(baseUrl, otherOrigins) };
}

const SERVICE = 'Racing Odds';
/** Ed25519, P-256 and RSA: those that every supported Node verifies. */
const ALGORITHMS = [-8, -7, -257];

/** The options of both calls, as JSON for the browser. */
export type PasskeyOptions = Awaited<
  ReturnType<typeof generateRegistrationOptions> | ReturnType<typeof generateAuthenticationOptions>
>;

interface Asked {
  readonly site: Site;
  readonly challenge: Buffer;
  /** In which the browser gives up. */
  readonly timeoutMs: number;
}

export const creationOptions = (
  { site, challenge, timeoutMs }: Asked,
  of: { readonly accountId: string; readonly email: string; readonly present: readonly Buffer[] },
): Promise<PasskeyOptions> =>
  generateRegistrationOptions({
    ...{ rpName: SERVICE, rpID: site.name, challenge: bytesOf(challenge), timeout: timeoutMs },
    ...{ userID: bytesOf(handleOf(of.accountId)), userName: of.email, userDisplayName: of.email },
    attestationType: 'none',
    excludeCredentials: of.present.map((id) => ({ id: id.toString('base64url') })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });

export const requestOptions = ({ site, challenge, timeoutMs }: Asked): Promise<PasskeyOptions> =>
  generateAuthenticationOptions({
    ...{ rpID: site.name, challenge: bytesOf(challenge), timeout: timeoutMs, userVerification: 'required' },
  });

/** A response as the browser writes it. Its members are whatever was sent. */
export interface PasskeyResponse {
  readonly json: Sent;
  /** That it has signed, base64url. */
  readonly challenge: string;
  /** Null: it names no account, as no passkey of this service does. */
  readonly name: PasskeyName | null;
}

type Sent = Parameters<typeof verifyRegistrationResponse>[0]['response'] &
  Parameters<typeof verifyAuthenticationResponse>[0]['response'];

/** Null: it is no response to a challenge of a page. */
export function readResponse(text: string): PasskeyResponse | null {
  try {
    const json = JSON.parse(text) as Sent;
    const { challenge, crossOrigin } = decodeClientDataJSON(json.response.clientDataJSON);
    if (typeof challenge !== 'string' || typeof json.id !== 'string' || crossOrigin) return null;
    const accountId = accountOf(json.response.userHandle);
    const credentialId = Buffer.from(json.id, 'base64url');
    return { json, challenge, name: accountId === null ? null : { accountId, credentialId } };
  } catch {
    return null;
  }
}

/** As WebAuthn bounds it. */
const MOST_ID_BYTES = 1023;

interface NewCredential {
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly counter: number;
}

/** Null: it is not what was requested. */
export async function newCredential(site: Site, { json, challenge }: PasskeyResponse): Promise<NewCredential | null> {
  try {
    // Certificates are not requested. Looking into one could fetch an address that its sender chose.
    const object = decodeAttestationObject(isoBase64URL.toBuffer(json.response.attestationObject));
    if (!['none', 'packed'].includes(object.get('fmt')) || object.get('attStmt').get('x5c') !== undefined) return null;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      ...{ response: json, expectedChallenge: challenge, expectedOrigin: [...site.origins], expectedRPID: site.name },
      ...{ requireUserVerification: true, supportedAlgorithmIDs: ALGORITHMS },
    });
    if (!verified) return null;
    const { id, publicKey, counter } = registrationInfo.credential;
    const credentialId = Buffer.from(id, 'base64url');
    if (id !== json.id || credentialId.length > MOST_ID_BYTES) return null;
    return { credentialId, publicKey: Buffer.from(publicKey), counter };
  } catch {
    return null;
  }
}

/**
 * The counter that was signed; null: the signature is wrong, or not what was requested. `publicKey` null: the passkey
 * is unknown, which is as much work and has the same answer. The counter is judged where it is stored.
 */
export async function signedCounter(
  site: Site,
  { json, challenge }: PasskeyResponse,
  publicKey: Buffer | null,
): Promise<number | null> {
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...{ response: json, expectedChallenge: challenge, expectedOrigin: [...site.origins], expectedRPID: site.name },
      requireUserVerification: true,
      credential: { id: json.id, publicKey: bytesOf(publicKey ?? KEY_OF_NO_PASSKEY), counter: 0 },
    });
    return verified && publicKey !== null ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}

/** P-256, as COSE: the generator of the curve. It belongs to no passkey. */
const KEY_OF_NO_PASSKEY = Buffer.from(
  'a5010203262001215820' +
    '6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296' +
    '225820' +
    '4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5',
  'hex',
);

/** The library declares bytes of its own memory. */
const bytesOf = (bytes: Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);

/** What an authenticator stores of the account: its id, and nothing of its owner. */
const handleOf = (accountId: string): Buffer => Buffer.from(accountId.replaceAll('-', ''), 'hex');

function accountOf(handle: unknown): string | null {
  const hex = typeof handle === 'string' ? Buffer.from(handle, 'base64url').toString('hex') : '';
  if (hex.length !== 32) return null;
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
