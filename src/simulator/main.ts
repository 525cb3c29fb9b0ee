// The simulator process: simulated bookmakers on SIMULATOR_PORT, in race time. Stops on SIGTERM and SIGINT.
import { loadConfig } from '../config';
import { seasonOf } from '../domain/registry/premiership';
import { REGISTRY } from '../domain/registry/registry';
import { aetDay } from '../domain/time/aet';
import { toRaceMs } from '../domain/time/clock';
import { createLog } from '../log';
import { createSimulator } from './http/server';
import { type Pusher, startPusher } from './push/pusher';
import { startSportsPusher } from './push/sports-pusher';
import { PREMIERSHIPS } from './registry/premiership/premiership-page';
import { createStreamServer } from './stream/server';
import { worldPublisher } from './stream/world-stream';
import { racesOf } from './world/world';

/** Wall. The first lists and prices of races take precedence over a day of matches and a season's tables. */
const REST_AFTER_MS = 15_000;

async function main(): Promise<void> {
  const config = loadConfig();
  const log = createLog('simulator', config.log.level);
  const now = (): number => toRaceMs(config.clock, Date.now());
  const { seed, intervalMinutes, faults } = config.simulator;
  const simulator = createSimulator({ seed, intervalMinutes, now, faults });
  // Built before the simulator replies: the first lists are read within seconds, each with its own deadline.
  for (const day of simulator.world.listedDays(now())) racesOf(simulator.world, day);
  const url = await simulator.listen(config.simulator.port, config.simulator.host);
  const { push: target } = config.simulator;
  const { sent } = simulator;
  log.info({ url, seed, speed: config.clock.speed, pushes: target?.url ?? null }, 'simulator ready');
  const pusher = target && startPusher({ worldOf: simulator.worldOf, target, now, clock: config.clock, log });
  let sports: Pusher | null = null;
  const rest = setTimeout(() => {
    addUpSeason(url, seasonOf(aetDay(now())));
    sports = target && startSportsPusher({ seed, target, now, clock: config.clock, log, sent });
  }, REST_AFTER_MS);
  const stream = createStreamServer(worldPublisher(simulator.worldOf('betfair_ex_au'), now));
  const { streamPort, host } = config.simulator;
  if (streamPort !== null) log.info({ port: await stream.listen(streamPort, host) }, 'the exchange streams');
  const stop = async (): Promise<void> => {
    clearTimeout(rest);
    await Promise.all([simulator.close(), pusher?.stop(), sports?.stop(), streamPort === null ? null : stream.close()]);
    log.info('simulator stopped');
  };
  process.once('SIGTERM', () => void stop()).once('SIGINT', () => void stop());
}

/**
 * The first request for a premiership makes the registry add up its season: it is sent here, so that the tables are
 * ready when the service reads them.
 */
function addUpSeason(url: string, season: number): void {
  fetch(`${url}/${REGISTRY}${PREMIERSHIPS}?State=Undefined&Season=${season}&Table=Jockey`).catch(() => {});
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
