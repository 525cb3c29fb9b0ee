// Amazon's client of S3: 10 MB of code, which is loaded when the first store in S3 is made, and by no process whose
// files are in a folder.
import type * as Client from '@aws-sdk/client-s3';

export const s3Client = (): typeof Client => require('@aws-sdk/client-s3');
