// Outages between the processes, their servers and Prometheus: certificates, a server that is slow or behind a black
// hole, lost targets.
const readyz = (port, shows) => ['server-away', `curl -s http://127.0.0.1:${port}/readyz`, shows];
const away = (need) => new RegExp(`"${need}":\\{"ok":false,"reason":"[^"]+`);
const needsCertificate = ({ certificate }) => (certificate === null ? 'there is no openssl here' : null);

const HOUR_S = 3600;

export const OF_THE_WAY = [
  {
    name: 'the certificate of PostgreSQL ends tomorrow',
    alert: 'CertificateEndsSoon',
    seconds: 240,
    needs: needsCertificate,
    runs: [['certificate-ending', 'curl', /racing_certificate_left\{.*database.*\} \d+/]],
    async begin({ certificate }) {
      await certificate.endIn(20 * HOUR_S);
      await certificate.cutConnections();
    },
    async end({ certificate }) {
      await certificate.renew();
      await certificate.cutConnections();
    },
  },
  {
    name: 'the certificate of PostgreSQL has ended',
    alert: 'ServerAway',
    seconds: 120,
    needs: needsCertificate,
    runs: [readyz(8082, /"database":\{"ok":false,"reason":"[^"]*expired/i)],
    async begin({ certificate }) {
      await certificate.endIn(-60);
      await certificate.cutConnections();
    },
    end: ({ certificate }) => certificate.renew(),
  },
  ...['postgres', 'temporal'].map((name) => {
    const need = { postgres: 'database', temporal: 'temporal' }[name];
    return {
      name: `${name} is behind a black hole`,
      alert: 'ServerAway',
      seconds: 120,
      runs: [readyz(8081, away(need))],
      begin: ({ network }) => network.block(name),
      end: ({ network }) => network.free(name),
    };
  }),
  {
    name: 'redis is behind a black hole',
    alert: 'RedisAway',
    seconds: 120,
    runs: [['redis-away', 'curl', /racing_redis_up\{.*\} 0/]],
    begin: ({ network }) => network.block('redis'),
    end: ({ network }) => network.free('redis'),
  },
  {
    name: 'postgres is slow',
    // A quarter of a second causes no alert.
    alert: 'ServerSlow',
    seconds: 120,
    runs: [
      ['server-slow', 'curl', /racing_answer_time\{.*database.*\} [1-9]/],
      ['server-slow', 'SELECT pid', /"query":/],
    ],
    begin: ({ network }) => network.slow('postgres', 1200),
    end: ({ network }) => network.free('postgres'),
  },
  {
    name: 'redis is slow',
    // Slower than an API process waits: for customers that is the same as unavailable.
    alert: 'RedisAway',
    seconds: 120,
    runs: [['redis-away', 'curl', /racing_redis_up/]],
    begin: ({ network }) => network.slow('redis', 400),
    end: ({ network }) => network.free('redis'),
  },
  {
    name: 'temporal is slow',
    alert: 'ServerAway',
    seconds: 180,
    runs: [readyz(8081, away('temporal'))],
    // Longer than a process waits for a reply.
    begin: ({ network }) => network.slow('temporal', 6000),
    end: ({ network }) => network.free('temporal'),
  },
  {
    name: 'Prometheus finds no process',
    alert: 'NoApi',
    also: ['NoWorker'],
    seconds: 120,
    runs: [
      ['no-process-answers', 'curl -s http://127.0.0.1:8082/livez', /ok/],
      ['no-process-answers', 'curl -s http://127.0.0.1:8081/livez', /ok/],
    ],
    begin: ({ targets }) => targets.lose(),
    end: ({ targets }) => targets.find(),
  },
];
