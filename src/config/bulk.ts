// Where bulk files are stored, a folder or an S3-compatible store, and the keys that sign their manifests.
import type { FileSettings } from '../file-store/create-file-store';
import { ConfigError, type Environment } from './environment';
import { type SecretKeys, secretKeysOf } from './secrets';

export interface BulkSettings extends FileSettings {
  /** The first one signs. */
  readonly signingKeys: SecretKeys;
}

/** Everybody has it: production refuses it. */
export const DEVELOPMENT_SIGNING_KEY = `development:${Buffer.alloc(32, 'development').toString('base64')}`;

export function bulkOf(env: Environment): BulkSettings {
  const { BULK_S3_ACCESS_KEY_ID: id, BULK_S3_SECRET_ACCESS_KEY: secret, BULK_S3_BUCKET: bucket } = env;
  if ((id === undefined) !== (secret === undefined))
    throw new ConfigError('BULK_S3_ACCESS_KEY_ID and BULK_S3_SECRET_ACCESS_KEY go together');
  const credentials = id === undefined || secret === undefined ? null : { accessKeyId: id, secretAccessKey: secret };
  const { BULK_S3_PREFIX: prefix, BULK_S3_REGION: region, BULK_S3_ENDPOINT: endpoint = null } = env;
  return {
    folder: env.BULK_FOLDER,
    signingKeys: secretKeysOf(env.BULK_SIGNING_KEYS ?? DEVELOPMENT_SIGNING_KEY, 'BULK_SIGNING_KEYS'),
    s3: bucket === undefined ? null : { bucket, prefix, region, endpoint, credentials },
  };
}
