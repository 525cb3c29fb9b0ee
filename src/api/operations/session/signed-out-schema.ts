// What ending a session returns.
import { Type } from '@sinclair/typebox';
import { named, oneOf } from '../../wire/vocabulary';

export const SignedOut = named(
  'SignedOut',
  Type.Object({ status: oneOf(['signed_out'], { description: 'The session has ended.' }) }),
);
