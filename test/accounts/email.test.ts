// Addresses, the domains that receive mail, and passwords: rules without I/O.
import { maskAddress, meantAddress, readAddress } from '../../src/accounts/email/address';
import { createReceivesMail, type MailResolver } from '../../src/accounts/email/mail-domain';
import { createPasswords, passwordProblem } from '../../src/accounts/passwords';

test.each([
  ['Jo.Citizen+odds@Example.COM', 'Jo.Citizen+odds@example.com'],
  ["o'brien@bücher.example", "o'brien@xn--bcher-kva.example"],
])('%s is an address', (text, email) => {
  expect(readAddress(text)!.email).toBe(email);
});

test.each([
  '',
  'jo',
  '@example.com',
  'jo@',
  'jo@localhost',
  'jo@[192.0.2.1]',
  'jo@192.0.2.1',
  'jo@a..b.com',
  '.jo@example.com',
  'jo@-a.com',
  'jo@exa_mple.com',
  'a b@example.com',
  '"a"@example.com',
  'jo@example.com\n',
  'jo\r\n@example.com',
  'jö@example.com',
  'jo@example.com,x@example.com',
  'jo@example.com>',
  'jo@example.com\0',
  `${'a'.repeat(65)}@example.com`,
  `a@${'b.'.repeat(126)}com`,
])('%j is none', (text) => {
  expect(readAddress(text)).toBeNull();
});

test.each([
  ['jo@gmial.con', 'surely', 'jo@gmail.com'],
  ['jo@gmil.com', 'perhaps', 'jo@gmail.com'],
  ['jo@bigpnd.com', 'perhaps', 'jo@bigpond.com'],
  ['Jo@hotmial.com', 'perhaps', 'Jo@hotmail.com'],
  ['jo@outlok.com', 'perhaps', 'jo@outlook.com'],
  ['jo@yaho.com', 'surely', 'jo@yahoo.com'],
  ['jo@gmail.com', 'surely', null],
  ['jo@tab.com.au', 'perhaps', null],
  ['jo@nowhere.test', 'surely', null],
] as const)('%s, %s wrong, was meant as %s', (text, isWrong, meant) => {
  expect(meantAddress(readAddress(text)!, isWrong)).toBe(meant);
});

test('a masked address keeps its domain and its first letter', () => {
  expect(maskAddress('jo.citizen@example.com')).toBe('j…@example.com');
});

describe('a domain', () => {
  const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));
  const none = async () => [];
  const mx =
    (...exchanges: string[]) =>
    async () =>
      exchanges.map((exchange) => ({ exchange }));
  const resolver = (over: Partial<MailResolver>): MailResolver => ({
    resolveMx: none,
    resolve4: none,
    resolve6: none,
    ...over,
  });
  test.each([
    ['with a mail server', { resolveMx: mx('mx.example.com') }, 'yes'],
    ['with a null MX', { resolveMx: mx('') }, 'no'],
    ['that does not exist', { resolveMx: failing('ENOTFOUND') }, 'no'],
    [
      'with an address only',
      { resolveMx: failing('ENODATA'), resolve4: async () => ['192.0.2.1'], resolve6: failing('ENODATA') },
      'yes',
    ],
    ['with an IPv6 address only', { resolve6: async () => ['2001:db8::1'] }, 'yes'],
    ['with neither', { resolveMx: failing('ENODATA') }, 'no'],
    ['whose DNS fails', { resolveMx: failing('ESERVFAIL') }, 'unsure'],
    ['whose addresses fail', { resolve4: failing('ETIMEOUT') }, 'unsure'],
    ['whose DNS is silent', { resolveMx: () => new Promise(() => undefined) }, 'unsure'],
  ] as const)('%s receives mail: %s', async (_, over, expected) => {
    expect(await createReceivesMail(resolver(over as Partial<MailResolver>), 20)('example.com')).toBe(expected);
  });
});

describe('passwords', () => {
  test('are argon2id with OWASP’s parameters, and the form of a letter does not count', async () => {
    const passwords = createPasswords();
    const phc = await passwords.hash('caf\u00e9 au lait, bitte');
    expect(phc).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await passwords.verify(phc, 'cafe\u0301 au lait, bitte')).toBe(true);
    expect(await passwords.verify(phc, 'cafe au lait, bitte')).toBe(false);
    expect(await passwords.verify(null, 'anything at all')).toBe(false);
  });

  test('are compared one at a time, and a flood is refused instead of waiting for ever', async () => {
    const passwords = createPasswords(4);
    const flood = await Promise.allSettled(Array.from({ length: 12 }, () => passwords.verify(null, 'guess')));
    const refused = flood.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused).toHaveLength(7);
    expect(refused[0]!.reason).toMatchObject({ code: 'unavailable', extensions: { retry_after_seconds: 5 } });
  });

  test('a known browser waits for one stranger at most for each owner before it, and has room while strangers have none', async () => {
    const passwords = createPasswords(4);
    const done: string[] = [];
    const compare = (lane: 'owners' | 'anyone') => passwords.verify(null, 'guess', lane).then(() => done.push(lane));
    const flood = Promise.allSettled(Array.from({ length: 12 }, () => compare('anyone')));
    const known = Promise.all([compare('owners'), compare('owners')]);
    await Promise.all([flood, known]);
    expect(done.lastIndexOf('owners')).toBeLessThanOrEqual(3);
    expect(done.filter((lane) => lane === 'anyone')).toHaveLength(5);
  });

  const OWNER = { email: 'jo.citizen@example.com', baseUrl: 'https://api.acme-odds.com.au' };

  test.each([
    ['elevenchars', 'at least 12'],
    ['x'.repeat(10) + 'abcdefgh'.repeat(40), 'at most 256'],
    ['Jo.Citizen@example.com', 'the email address'],
    ['abababababab', 'different'],
    ...[
      // Domains that sign-up accepted in the review of 2026-11-24.
      ...['password1234', 'passwordpassword', '123456789012', 'qwertyuiop12'],
      ...[
        'P@ssw0rd2026!',
        'abcdefghijkl',
        '1qaz2wsx3edc4rfv',
        'zxcvbnm,asdf',
        'monkeydragon12',
        'letmeinletmein',
        '987654321098',
      ],
      ...[
        'Racing-Odds-2026',
        'jo.citizen.2026',
        'Citizen123456',
        'acme-odds-2026',
        'example.com.au!',
        'abcdeabcdeabcde',
        'GreyhoundRacing1',
      ],
    ].map((password) => [password, 'too easy to guess'] as const),
    ...[
      'correct horse battery',
      'staple of correct horses',
      'correcthorsebattery',
      'x8#kQz!pW2vm',
      'kelpie ute 44 mango',
    ].map((password) => [password, null] as const),
    ['a long line of words', null],
    ['密码密码很长的一个密码呢', null],
  ] as const)('%j: %p', (password, problem) => {
    const found = passwordProblem(password, OWNER, '/password');
    if (problem === null) expect(found).toBeNull();
    else expect(found!.detail).toContain(problem);
  });
});
