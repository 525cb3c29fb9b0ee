// The outages of a game day. `alert`: the page or ticket that fires, within `seconds` of the outage. `look`: checks
// what the runbook tells an operator to read; returns the fault, or null. `runs`: commands of the runbook, by section
// and beginning, with the output that each must print. `after`: like `look`, for what must have recovered. `also`:
// other alerts that fire for the same cause; `may`: alerts that may fire. `book`: the book of an alert by book.
// `needs`: why the outage cannot be caused here, or null.
import { BUILD } from '../causes/builds.mjs';
import { OF_SOURCES } from './of-sources.mjs';
import { OF_THE_WAY } from './of-the-way.mjs';

const readyz = (port, need) => [
  'server-away',
  `curl -s http://127.0.0.1:${port}/readyz`,
  new RegExp(`"${need}":\\{"ok":false,"reason":"[^"]+`),
];
const connectors = (section, shows) => [section, 'curl -s -H "X-API-Key: $KEY" $API/v1/health/connectors', shows];

const APIS = ['api-1', 'api-2'];
const each = (names, act) => Promise.all(names.map(act));

export const SHORT = [
  {
    name: 'PostgreSQL hangs',
    alert: 'ServerAway',
    seconds: 120,
    begin: (stage) => stage.freeze('postgres'),
    runs: [readyz(8082, 'database')],
    end: (stage) => stage.thaw('postgres'),
  },
  {
    name: 'Temporal hangs',
    alert: 'ServerAway',
    seconds: 120,
    begin: (stage) => stage.freeze('temporal'),
    runs: [readyz(8081, 'temporal')],
    // After a long standstill Temporal may have lost its namespaces: the runbook tells the operator to restart it.
    async end(stage) {
      await stage.kill('temporal');
      await stage.start('temporal');
    },
  },
  {
    name: 'Redis is killed',
    alert: 'RedisAway',
    seconds: 120,
    runs: [['redis-away', 'curl', /racing_redis_up\{.*\} 0/]],
    begin: (stage) => stage.kill('redis'),
    end: (stage) => stage.start('redis'),
  },
  {
    name: 'one worker is killed',
    alert: 'ProcessDown',
    seconds: 120,
    begin: (stage) => stage.kill('worker-2'),
    end: (stage) => stage.start('worker-2'),
  },
  {
    name: 'every worker is killed',
    alert: 'NoWorker',
    seconds: 120,
    begin: (stage) => each(stage.workers, stage.kill),
    end: (stage) => each(stage.workers, stage.start),
  },
];

export const LONG = [
  {
    name: 'PostgreSQL is killed',
    alert: 'ServerAway',
    seconds: 120,
    begin: (stage) => stage.kill('postgres'),
    runs: [readyz(8082, 'database')],
    end: (stage) => stage.start('postgres'),
  },
  {
    name: 'Temporal is killed',
    alert: 'ServerAway',
    seconds: 120,
    begin: (stage) => stage.kill('temporal'),
    runs: [readyz(8081, 'temporal')],
    end: (stage) => stage.start('temporal'),
  },
  {
    name: 'Redis hangs',
    alert: 'RedisAway',
    seconds: 120,
    runs: [['redis-away', 'curl', /racing_redis_up\{.*\} 0/]],
    begin: (stage) => stage.freeze('redis'),
    end: (stage) => stage.thaw('redis'),
  },
  {
    name: 'every API process is killed',
    alert: 'NoApi',
    seconds: 120,
    begin: (stage) => each(APIS, stage.kill),
    end: (stage) => each(APIS, stage.start),
  },
  {
    name: 'the workers hang',
    alert: 'NoWorker',
    seconds: 120,
    begin: (stage) => each(stage.workers, stage.freeze),
    end: (stage) => each(stage.workers, stage.thaw),
  },
  {
    name: 'a build fits no history',
    alert: 'WorkflowTasksFail',
    seconds: 180,
    runs: [['workflow-tasks-fail', 'ops builds list', /unfit/]],
    begin: (stage) => stage.builds.rollOut(50),
    end: (stage) => stage.type('workflow-tasks-fail', 'ops builds promote', { build: BUILD }),
    after: (stage) => stage.builds.wrongAfter(),
  },
  {
    name: 'a book changes its format',
    alert: 'FeedFailing',
    book: 'tab',
    seconds: 480,
    runs: [connectors('feed-failing', /"connector":"tab",.*HTTP 200 with a page/)],
    begin: (stage) => stage.fault('html_with_200', 'tab'),
    end: (stage) => stage.noFaults(),
  },
  {
    name: 'every book refuses us',
    alert: 'LiveRacesUnpolled',
    seconds: 120,
    runs: [
      ['live-races-unpolled', 'curl -s http://127.0.0.1:8081/readyz', /"status":"ok"/],
      connectors('live-races-unpolled', /blocked/),
    ],
    begin: (stage) => stage.fault('blocked'),
    end: (stage) => stage.noFaults(),
  },
  {
    name: 'the sweep of races is paused',
    alert: 'SweepsLate',
    // Its limit is compared with a figure, so it is not divided.
    seconds: 780,
    runs: [['schedules-late', 'temporal schedule list', /race-sweep.*true/]],
    begin: (stage) => stage.pause('race-sweep'),
    end: (stage) => stage.unpause('race-sweep'),
  },
  {
    name: 'the clock of a worker is ten minutes ahead',
    alert: 'ClockAhead',
    seconds: 240,
    needs: ({ stepClock }) => (stepClock === null ? 'there is no libfaketime here' : null),
    runs: [['clock-ahead', 'SELECT now()', /20\d\d-/]],
    begin: (stage) => stage.stepClock(600),
    end: (stage) => stage.stepClock(0),
  },
  {
    name: 'the disk of the servers has 4 % left',
    alert: 'DiskFull',
    seconds: 240,
    needs: ({ disk }) => (disk?.exporter ? null : 'no disk can be mounted and watched here'),
    runs: [['disk-filling', 'SELECT pg_size_pretty(pg_database_size', /MB/]],
    begin: ({ disk }) => disk.fill(0.04),
    end: ({ disk }) => disk.empty(),
  },
  ...OF_SOURCES,
  ...OF_THE_WAY,
];
