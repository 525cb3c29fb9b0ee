// The service's targets for Prometheus: a file for each job, as a service discovery writes it.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** `targets`: addresses by job. */
export function listTargets(ctx, targets) {
  const place = join(ctx.instance.folder, 'targets');
  mkdirSync(place, { recursive: true });
  const fileOf = (job) => join(place, `${job}.json`);
  const write = (job, addresses) => {
    writeFileSync(`${fileOf(job)}.new`, JSON.stringify(addresses.length === 0 ? [] : [{ targets: addresses }]));
    renameSync(`${fileOf(job)}.new`, fileOf(job));
  };
  const find = () => {
    for (const [job, addresses] of Object.entries(targets)) write(job, addresses);
  };
  find();
  return {
    files: Object.keys(targets).map((job) => [job, fileOf(job)]),
    find,
    lose() {
      for (const job of Object.keys(targets)) write(job, []);
    },
  };
}
