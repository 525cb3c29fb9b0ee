// The outages of a game day. `alert`: the page or ticket that fires, within `seconds` of the outage. `look`: what the runbook has an operator read,
// which returns what is wrong with it, or null. `after`: the same, of what must be whole again. `needs`: why it cannot be caused here, or null.
const without = (need) => async (stage, name) => {
  const { status, body } = await stage.readyz(name);
  if (status !== 503) return `/readyz of ${name} is ${status}`;
  return body[need]?.ok === false && body[need].reason
    ? null
    : `/readyz of ${name} does not name ${need} with a reason`;
};

const APIS = ['api-1', 'api-2'];
const each = (names, act) => Promise.all(names.map(act));

export const SHORT = [
  {
    name: 'PostgreSQL hangs',
    alert: 'ServerAway',
    seconds: 120,
    begin: (stage) => stage.freeze('postgres'),
    look: (stage) => without('database')(stage, 'api-1'),
    end: (stage) => stage.thaw('postgres'),
  },
  {
    name: 'Temporal hangs',
    alert: 'ServerAway',
    seconds: 120,
    begin: (stage) => stage.freeze('temporal'),
    look: (stage) => without('temporal')(stage, 'worker-3'),
    // After a long standstill it may know no namespace: the runbook has it started again.
    async end(stage) {
      await stage.kill('temporal');
      await stage.start('temporal');
    },
  },
  {
    name: 'Redis is killed',
    alert: 'RedisAway',
    seconds: 120,
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
    look: (stage) => without('database')(stage, 'api-1'),
    end: (stage) => stage.start('postgres'),
  },
  {
    name: 'Temporal is killed',
    alert: 'ServerAway',
    seconds: 120,
    begin: (stage) => stage.kill('temporal'),
    look: (stage) => without('temporal')(stage, 'worker-1'),
    end: (stage) => stage.start('temporal'),
  },
  {
    name: 'Redis hangs',
    alert: 'RedisAway',
    seconds: 120,
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
    begin: (stage) => stage.builds.rollOut(50),
    end: (stage) => stage.builds.rollBack(),
    after: (stage) => stage.builds.wrongAfter(),
  },
  {
    name: 'a book changes its format',
    alert: 'FeedFailing',
    seconds: 480,
    begin: (stage) => stage.fault('html_with_200', 'tab'),
    end: (stage) => stage.noFaults(),
  },
  {
    name: 'every book refuses us',
    alert: 'LiveRacesUnpolled',
    seconds: 120,
    begin: (stage) => stage.fault('blocked'),
    end: (stage) => stage.noFaults(),
  },
  {
    name: 'the sweep of races is paused',
    alert: 'SweepsLate',
    // Its bound is compared with a figure, so nothing divides it.
    seconds: 780,
    begin: (stage) => stage.pause('race-sweep'),
    end: (stage) => stage.unpause('race-sweep'),
  },
  {
    name: 'the clock of a worker is ten minutes ahead',
    alert: 'ClockAhead',
    seconds: 240,
    needs: ({ stepClock }) => (stepClock === null ? 'there is no libfaketime here' : null),
    begin: (stage) => stage.stepClock(600),
    end: (stage) => stage.stepClock(0),
  },
  {
    name: 'the disk of the servers has 4 % left',
    alert: 'DiskFull',
    seconds: 240,
    needs: ({ disk }) => (disk?.exporter ? null : 'no disk can be mounted and watched here'),
    begin: ({ disk }) => disk.fill(0.04),
    end: ({ disk }) => disk.empty(),
  },
];
