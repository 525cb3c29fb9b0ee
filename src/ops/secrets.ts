// Seals the secrets in the database, and changes the key that seals them.
import { type SealReport, sealStored } from '../store/secrets/seal-stored';
import { readSealing } from '../store/secrets/stored-secrets';
import { type Command, Mistake } from './command';

/** Of values that cannot be opened, in one sentence. */
const MOST_NAMED = 5;

export const SECRET_COMMANDS: readonly Command[] = [
  {
    name: 'secrets seal',
    synopsis: '[--lost KEY]',
    about: 'seal the secrets in the database under the first key of SECRET_KEYS, from now on and those that are stored',
    help: [
      'Secrets are those of webhooks and of signed links, and the texts of unsent mails. Run it as the owner of the database, when every process has this',
      'release and this key: it cannot be undone, and no release before reads what is sealed. To change the key, add the new one to every process, put it',
      'first here, and run the command again; then every process may drop the old key. KEY is the id of the key under which secrets are sealed now, if no process',
      'has it any more: what it has sealed stays as it is.',
    ].join('\n'),
    async run({ pool, config }, { options }) {
      const [first] = config.secretKeys;
      if (!first) throw new Mistake('SECRET_KEYS is not set: there is no key to seal under.');
      const { keyId } = await readSealing(pool);
      if (keyId !== null && keyId !== options.lost && config.secretKeys.every(({ id }) => id !== keyId))
        throw new Mistake(
          `Secrets are sealed under the key ${keyId}, which SECRET_KEYS does not have: nothing is changed. If no process has it any more, add --lost ${keyId}.`,
        );
      return reported(first.id, await sealStored(pool, config.secretKeys));
    },
  },
];

function reported(keyId: string, { sealed, resealed, unopened }: SealReport): string {
  const done = `secrets are sealed under the key ${keyId}; sealed now: ${sealed}, sealed again: ${resealed}`;
  if (unopened.length === 0) return done;
  const named = unopened.slice(0, MOST_NAMED).join('; ');
  throw new Error(`${unopened.length} secrets cannot be opened and stay as they are: ${named}. All others: ${done}.`);
}
