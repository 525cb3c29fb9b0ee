// Ways out for mail: an SMTP server, or files of a folder where there is none (D16). Nothing in a mail makes nodemailer
// read a file or an address.
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';

interface OutgoingMail {
  /** Stays over all attempts: a receiver that gets the mail twice can recognise it. */
  readonly mailId: string;
  readonly recipient: string;
  readonly subject: string;
  readonly body: string;
  /** The address that stops mails of its kind; null: none does. */
  readonly unsubscribe: string | null;
  /** Instant. */
  readonly createdAt: string;
}

export interface MailTransport {
  /** Rejects while the mail was not taken. */
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
}

const CLOSED = { disableFileAccess: true, disableUrlAccess: true } as const;
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };
const AT_ONCE = 5;

const messageOf = (from: string, { mailId, recipient, subject, body, unsubscribe, createdAt }: OutgoingMail) => ({
  from,
  to: { name: '', address: recipient },
  subject,
  text: body,
  date: new Date(createdAt),
  messageId: `<${mailId}@${/@([\w.-]+)/.exec(from)?.[1] ?? 'localhost'}>`,
  headers: { 'Auto-Submitted': 'auto-generated', ...(unsubscribe !== null && stopHeaders(unsubscribe)) },
});

/** One click in a mail program stops the list, by https alone (RFC 8058). Folded, the address would break. */
const stopHeaders = (address: string) => ({
  'List-Unsubscribe': { prepared: true, value: `<${address}>` },
  ...(address.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
});

/**
 * `url`: `smtp://user:password@host:587`, or `smtps://` for TLS from the first byte. A password is sent over TLS only,
 * except to this machine.
 */
export function createSmtpTransport(url: string, from: string): MailTransport {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === 'smtps:';
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  const transport = createTransport({
    ...CLOSED,
    ...TIMEOUTS,
    pool: true,
    maxConnections: AT_ONCE,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && !isHere && password !== '',
    ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  });
  return {
    async send(mail) {
      await transport.sendMail(messageOf(from, mail));
    },
    close: () => transport.close(),
  };
}

/**
 * One `.eml` for each mail, which a mail program opens. Only the owner of the process may read them: they have links
 * that sign in.
 */
export function createFolderTransport(folder: string, from: string): MailTransport {
  const transport = createTransport({ ...CLOSED, streamTransport: true, buffer: true, newline: 'unix' });
  return {
    async send(mail) {
      const { message } = await transport.sendMail(messageOf(from, mail));
      const name = `${inName(mail.createdAt)} ${mail.mailId}.eml`;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(join(folder, `.${name}`), readable(String(message), mail.body), { mode: 0o600 });
      await rename(join(folder, `.${name}`), join(folder, name));
    },
    close: () => transport.close(),
  };
}

/**
 * Removes the mails of a folder that were written before an instant: their links have expired. Leaves every file that
 * is none of them.
 */
export async function removeMailFiles(folder: string, before: string): Promise<void> {
  const names = await readdir(folder).catch((error: { readonly code?: unknown }) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  for (const name of names) {
    const [, at] = MAIL_FILE.exec(name) ?? [];
    if (at !== undefined && at < inName(before)) await rm(join(folder, name), { force: true });
  }
}

/** Names sort by their instant. */
const inName = (at: string): string => at.replaceAll(':', '-');
const MAIL_FILE = /^\.?(\d{4}-\d\d-\d\dT[\d.-]+Z) [\w-]+\.eml$/;

/** With its text as it is: quoted-printable would break a link over two lines, and any editor shows a file. */
function readable(message: string, body: string): string {
  const head = message.slice(0, message.indexOf('\n\n'));
  return `${head.replace(/^Content-Transfer-Encoding: .*$/m, 'Content-Transfer-Encoding: 8bit')}\n\n${body}`;
}

/**
 * Whether the server refused this recipient or this mail for good. A wrong password of ours, or a server that is away,
 * may be put right.
 */
export function isRefusedForGood(error: unknown): boolean {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && typeof responseCode === 'number' && responseCode >= 500;
}

/** For logs: without the recipient, whom the server's own sentence may name. */
export function failureOf(error: unknown): string {
  const { code, responseCode, name } = error as { code?: unknown; responseCode?: unknown; name?: unknown };
  return [code ?? name ?? 'failed', responseCode].filter((part) => part !== undefined).join(' ');
}
