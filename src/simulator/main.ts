// The simulator process: the pretend bookmakers on SIMULATOR_PORT, in race time. Stops on SIGTERM and SIGINT.
import { loadConfig } from '../config';
import { toRaceMs } from '../domain/clock';
import { createLog } from '../log';
import { createSimulator } from './http/server';

async function main(): Promise<void> {
  const config = loadConfig();
  const log = createLog('simulator', config.log.level);
  const simulator = createSimulator({ seed: config.simulator.seed, now: () => toRaceMs(config.clock, Date.now()) });
  const url = await simulator.listen(config.simulator.port, config.simulator.host);
  log.info({ url, seed: config.simulator.seed, speed: config.clock.speed }, 'simulator ready');
  const stop = (): void => void simulator.close().then(() => log.info('simulator stopped'));
  process.once('SIGTERM', stop).once('SIGINT', stop);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
