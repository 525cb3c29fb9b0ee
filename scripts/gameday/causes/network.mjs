// What is between the processes and their servers: a proxy for each, and TLS to PostgreSQL.
import { freePorts } from '../../process/ports.mjs';
import { startProxy } from './proxy.mjs';

const SERVERS = ['postgres', 'redis', 'temporal'];

/** `addressed(env)`: the environment of a process that reaches its servers through the proxies. */
export async function openNetwork({ ports }, { onEnd, certificate }) {
  const own = await freePorts(SERVERS.length);
  const proxies = new Map();
  for (const [i, name] of SERVERS.entries()) proxies.set(name, await startProxy(own[i], ports[name]));
  onEnd(() => {
    for (const proxy of proxies.values()) proxy.close();
  });
  const [postgres, redis, temporal] = own;
  const throughTls = (address) => certificate?.checked(address) ?? address;
  return {
    addressed: (env) => ({
      ...env,
      DATABASE_URL: throughTls(at(env.DATABASE_URL, postgres)),
      DATABASE_DIRECT_URL: '',
      REDIS_URL: at(env.REDIS_URL, redis),
      TEMPORAL_ADDRESS: `127.0.0.1:${temporal}`,
    }),
    /** Each reply of the server arrives this much later. */
    slow: (name, ms) => proxies.get(name).slow(ms),
    /** Connections are accepted, but nothing passes through. */
    block: (name) => proxies.get(name).block(),
    free: (name) => proxies.get(name).free(),
  };
}

function at(address, port) {
  const url = new URL(address);
  url.port = String(port);
  return url.toString();
}
