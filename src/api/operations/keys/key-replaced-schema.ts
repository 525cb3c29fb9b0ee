// POST /v1/keys/rotate and /v1/keys/reveal (A 5.3; shapes 3.7).
import { Type } from '@sinclair/typebox';
import { instant, named, nullable, text, whole } from '../../wire/vocabulary';

const version = whole('1, and one more for each replacement of the key.');
const rotatedAt = instant('When the new key was made.');
const previousValidUntil = nullable(
  instant('The last instant of the key that works beside the new one. Null: none does.'),
);
const message = text('What happens to the replaced key, in a sentence.');

export const KeyRotation = named(
  'KeyRotation',
  Type.Object({
    new_key: text('The new key. It is stored nowhere and cannot be shown again.'),
    api_key: text('Equal to `new_key`: published clients read it under this name.'),
    old_key_hint: text('The last four characters of the replaced key.'),
    key_version: version,
    rotated_at: rotatedAt,
    previous_key_valid_until: previousValidUntil,
    message,
  }),
);

export const RevealedKey = named(
  'RevealedKey',
  Type.Object({
    key: text('The new primary key. It is stored nowhere and cannot be shown again.'),
    key_version: version,
    rotated_at: rotatedAt,
    previous_key_valid_until: previousValidUntil,
    message,
  }),
);
