// The headers by which a mail program stops a list (RFC 8058): only of mails that can be stopped, in one line each.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopUrl, stopUrlIn } from '../../src/accounts/mail/stop-links';
import { createFolderTransport } from '../../src/accounts/mail/transport';

const ACCOUNT = '5f0c3a9e-6f4c-4b6e-9a53-3d9e4f6a7b10';

async function headOf(unsubscribe: string | null): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'mail-'));
  try {
    const transport = createFolderTransport(folder, 'Racing odds <no-reply@racing-odds.example>');
    const mail = {
      recipient: 'jo@example.com',
      subject: 'A price',
      body: 'A price.\n',
      createdAt: '2026-11-30T00:00:00Z',
    };
    await transport.send({ mailId: ACCOUNT, ...mail, unsubscribe });
    const [file] = await readdir(folder);
    const text = await readFile(join(folder, file!), 'utf8');
    return text.slice(0, text.indexOf('\n\n')).split('\n');
  } finally {
    await rm(folder, { recursive: true });
  }
}

const urlAt = (baseUrl: string): string => stopUrl('alerts', ACCOUNT, { baseUrl, secret: Buffer.from('secret') });

test('a mail of a list says how one click stops it, and one about the account says nothing', async () => {
  const url = urlAt('https://a-rather-long-name-of-a-service.odds.example');
  const head = await headOf(url);
  expect(head).toContain(`List-Unsubscribe: <${url}>`);
  expect(head).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  const none = await headOf(null);
  expect(none.filter((line) => line.startsWith('List-'))).toEqual([]);
  // One click is defined for https alone.
  const plain = await headOf(urlAt('http://localhost:3000'));
  expect(plain.filter((line) => line.startsWith('List-'))).toEqual([
    `List-Unsubscribe: <${urlAt('http://localhost:3000')}>`,
  ]);
});

test('the link of a list is found in the text of its mail, and in no other text', () => {
  const text = `Look:\nhttps://odds.example/race/1\n\nStop these mails:\n${urlAt('https://odds.example')}\n\n18+ only.\n`;
  expect([stopUrlIn('alerts', text), stopUrlIn('credits', text)]).toEqual([urlAt('https://odds.example'), null]);
  expect(stopUrlIn('alerts', 'Your account: https://odds.example/account/alerts\n')).toBeNull();
});
