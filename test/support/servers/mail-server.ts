// An SMTP server that takes every mail, and what it has received.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

interface ReceivedMail {
  readonly to: string;
  readonly subject: string;
  readonly messageId: string;
  readonly text: string;
  /** `List-Unsubscribe`, or empty. */
  readonly unsubscribe: string;
}

export interface MailServer {
  readonly url: string;
  readonly received: readonly ReceivedMail[];
  stop(): Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        received.push(read(envelope.rcptTo.map(({ address }) => address).join(), Buffer.concat(chunks).toString()));
        done();
      });
    },
  });
  // A sender that is killed breaks its connection off.
  server.on('error', () => undefined);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    stop: () => new Promise((done) => void server.close(() => done())),
  };
}

function read(to: string, raw: string): ReceivedMail {
  const mail = raw.replaceAll('\r\n', '\n');
  const end = mail.indexOf('\n\n');
  const head = mail.slice(0, end);
  const header = (name: string): string => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1] ?? '';
  const body = mail.slice(end + 2);
  const isQuoted = header('Content-Transfer-Encoding') === 'quoted-printable';
  const text = isQuoted ? unquoted(body) : body;
  const unsubscribe = header('List-Unsubscribe');
  return { to, subject: header('Subject'), messageId: header('Message-ID'), text, unsubscribe };
}

const unquoted = (body: string): string =>
  decodeURIComponent(
    body
      .replaceAll('=\n', '')
      .replaceAll('%', '=25')
      .replace(/=([0-9A-F]{2})/g, '%$1'),
  );
