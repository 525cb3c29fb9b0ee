// Where bulk files are stored: a folder, or an S3-compatible store.
import type { FileSettings } from '../file-store/create-file-store';
import { ConfigError, type Environment } from './environment';

export function bulkOf(env: Environment): FileSettings {
  const { BULK_S3_ACCESS_KEY_ID: id, BULK_S3_SECRET_ACCESS_KEY: secret, BULK_S3_BUCKET: bucket } = env;
  if ((id === undefined) !== (secret === undefined))
    throw new ConfigError('BULK_S3_ACCESS_KEY_ID and BULK_S3_SECRET_ACCESS_KEY go together');
  const credentials = id === undefined || secret === undefined ? null : { accessKeyId: id, secretAccessKey: secret };
  const { BULK_S3_PREFIX: prefix, BULK_S3_REGION: region, BULK_S3_ENDPOINT: endpoint = null } = env;
  return {
    folder: env.BULK_FOLDER,
    s3: bucket === undefined ? null : { bucket, prefix, region, endpoint, credentials },
  };
}
