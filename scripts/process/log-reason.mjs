// Reads the tail of a log for the one line that says why a program gave up. It guesses; it must never throw.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const tailBytes = 20_000;
const telling = /\b(error|fatal|panic|failed|cannot|could not|unable|denied|refused|missing|not found)\b/i;
const noise = /^\s*(at |\^|[{}[\]()]+$|Node\.js v|npm error A complete log)/;

export function reasonFromLog(text) {
  if (/no space left on device|ENOSPC/i.test(text)) return 'the disk is full';
  const lines = text
    .split('\n')
    .map(plain)
    .filter((line) => line && !noise.test(line));
  const reason = fromNpm(lines) ?? lines.findLast((line) => telling.test(line)) ?? lines.at(-1);
  return (reason ?? 'it said nothing').slice(0, 300);
}

// npm says why in its first whole sentence and then goes on about its usage.
function fromNpm(lines) {
  const said = lines.filter((line) => line.startsWith('npm error ')).map((line) => line.slice('npm error '.length));
  return said.find((line) => line.split(' ').length > 4);
}

// A structured log line is worth its message; of anything else the colours are taken off.
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
