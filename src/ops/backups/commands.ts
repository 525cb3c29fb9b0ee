// The command that the operator's cron calls after a backup: the age of the last good one is a metric.
import { readCluster, saveBackup } from '../../store/backups';
import { type Command, kept, required } from '../command';
import { readJson } from '../read-json';
import { newestBackup } from './newest-backup';

export const BACKUP_COMMANDS: readonly Command[] = [
  {
    name: 'backup-done',
    synopsis: '--info FILE',
    about: 'record the newest good backup in the repository, for the metric racing_backup_age',
    help: 'FILE is what `pgbackrest --output=json info` prints; /dev/stdin reads a pipe. Run it as the owner, after each backup. A backup of another cluster, or one with errors, is refused.',
    async run({ pool }, { options }) {
      const info = readJson(required(options.info, '--info'));
      const { systemId, now } = await readCluster(pool);
      const backup = newestBackup(info, systemId, Date.parse(now));
      const isNew = await saveBackup(pool, backup);
      const line = `the last good backup is ${backup.label} (${backup.kind}), ended at ${backup.endedAt}`;
      return isNew ? line : kept(line);
    },
  },
];
