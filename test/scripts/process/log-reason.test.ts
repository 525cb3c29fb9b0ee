const { reasonFromLog } = require('../../../scripts/process/log-reason.mjs') as { reasonFromLog(text: string): string };

test.each([
  [
    'the last line that reports a failure',
    'starting\nError: port gone\n    at main.ts:3\n\nNode.js v20.20.2\n',
    'Error: port gone',
  ],
  ['the last line when none does', 'one\ntwo\n', 'two'],
  ['a full disk, however it is put', 'cp: write error: No space left on device\nfailed\n', 'the disk is full'],
  [
    'the message of a structured line',
    '{"level":30,"msg":"up"}\n{"level":60,"msg":"stopped","err":{"message":"no database"}}\n',
    'error: stopped: no database',
  ],
  [
    "npm's first sentence",
    'npm error code ENOTFOUND\nnpm error network request to x failed, reason: no such host\nnpm error Run "npm help ci" for more\n',
    'network request to x failed, reason: no such host',
  ],
  ['no colours', '\u001b[31mfatal: nope\u001b[0m\n', 'fatal: nope'],
  ['a sentence for an empty log', '', 'it printed nothing'],
])('a log gives %s', (_what, text, reason) => {
  expect(reasonFromLog(text)).toBe(reason);
});
