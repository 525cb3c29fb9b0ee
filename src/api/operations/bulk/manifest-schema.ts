// The signed manifest of a period's files, and the keys that verify it.
import { Type } from '@sinclair/typebox';
import { count, instant, link, named, nullable, oneOf, text, whole } from '../../wire/vocabulary';
import { BulkDataset, BulkFormat } from './datasets-schema';

const cells = (description: string) => nullable(Type.Array(nullable(text()), { description }));

const SortKey = named(
  'BulkSortKey',
  Type.Object({
    columns: Type.Array(text(), { description: 'The columns that the rows are sorted by.' }),
    first: cells('The lowest key, in the order of `columns`, each cell as CSV writes it. Null: there are no rows.'),
    last: cells('The highest key.'),
  }),
);

const Times = named(
  'BulkTimes',
  Type.Object({
    column: text(),
    min: nullable(text('The earliest value, as CSV writes it. Null: there is none.')),
    max: nullable(text('The latest value.')),
  }),
);

const File = named(
  'BulkManifestFile',
  Type.Object({
    format: BulkFormat,
    bytes: count('Size of the file.'),
    sha256: text('SHA-256 of its bytes, in hexadecimal.'),
  }),
);

const Manifest = named(
  'BulkManifest',
  Type.Object(
    {
      dataset: BulkDataset,
      period: text('A Sydney day (`2026-11-20`) or a calendar month (`2026-11`).'),
      version: whole('Grows when the files are built again.'),
      schema_version: text('Equal as long as the columns of the dataset are.'),
      rows: count('Rows of each file.'),
      generated_at: instant('When this version was built (UTC).'),
      sort_key: SortKey,
      times: Type.Array(Times, { description: 'The bounds of each column of instants or days.' }),
      files: Type.Array(File, { description: 'One per format, by name of the format.' }),
    },
    { description: 'What is signed.' },
  ),
);

const Signature = named(
  'BulkSignature',
  Type.Object({
    algorithm: oneOf(['ed25519'], { description: 'Ed25519 (RFC 8032).' }),
    key_id: text('`kid` of the key in `GET /v1/bulk/keys`.'),
    value: text('The signature in base64.'),
  }),
);

const Source = named(
  'BulkSource',
  Type.Object({ format: BulkFormat, url: link('Where to fetch this version of the file, with your key.') }),
);

export const BulkSignedManifest = named(
  'BulkSignedManifest',
  Type.Object({
    manifest: Manifest,
    signature: Signature,
    sources: Type.Array(Source, { description: 'Not signed: their bytes are what `manifest.files` states.' }),
  }),
);

const Key = named(
  'BulkKey',
  Type.Object({
    kty: oneOf(['OKP']),
    crv: oneOf(['Ed25519']),
    use: oneOf(['sig']),
    alg: oneOf(['EdDSA']),
    kid: text('Id of the key, as in `signature.key_id`.'),
    x: text('The public key in base64url.'),
  }),
);

export const BulkKeys = named(
  'BulkKeys',
  Type.Object({ keys: Type.Array(Key, { description: 'The key that signs new manifests is the first.' }) }),
);
