// Finds the one line of a log that explains why a program failed. It guesses; it must never throw.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const tailBytes = 20_000;
const failure = /\b(error|fatal|panic|failed|cannot|could not|unable|denied|refused|missing|not found)\b/i;
const noise = /^\s*(at |\^|[{}[\]()]+$|Node\.js v|npm error A complete log)/;

export function reasonFromLog(text) {
  if (/no space left on device|ENOSPC/i.test(text)) return 'the disk is full';
  const lines = text
    .split('\n')
    .map(plain)
    .filter((line) => line && !noise.test(line));
  const reason = fromNpm(lines) ?? lines.findLast((line) => failure.test(line)) ?? lines.at(-1);
  return (reason ?? 'it printed nothing').slice(0, 300);
}

// npm gives its reason in its first complete sentence; usage text follows.
function fromNpm(lines) {
  const sentences = lines
    .filter((line) => line.startsWith('npm error '))
    .map((line) => line.slice('npm error '.length));
  return sentences.find((line) => line.split(' ').length > 4);
}

// The message of a structured log line; any other line without its colours.
function plain(line) {
  const entry = asEntry(line);
  if (entry) return entry.level >= 50 ? `error: ${[entry.msg, entry.err?.message].filter(Boolean).join(': ')}` : '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
  return line.replace(/\u001b\[[0-9;]*m/g, '').trim();
}

function asEntry(line) {
  if (!line.startsWith('{"level"')) return null;
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

export function tailOf(file, bytes = tailBytes) {
  try {
    const handle = openSync(file, 'r');
    const size = fstatSync(handle).size;
    const buffer = Buffer.alloc(Math.min(bytes, size));
    readSync(handle, buffer, 0, buffer.length, size - buffer.length);
    closeSync(handle);
    return buffer.toString('utf8');
  } catch {
    return '';
  }
}

export const reasonFromFile = (file) => reasonFromLog(tailOf(file));
