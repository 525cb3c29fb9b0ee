// Reads one file of a zip archive (APPNOTE.TXT 6.3, sections 4.3.7, 4.3.12 and 4.3.16): stored or deflated, below 4
// GiB, as wheels are.
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const STORED = 0;
const DEFLATED = 8;
const END_BYTES = 22;
const LONGEST_COMMENT = 0xffff;

/**
 * The bytes of the first file whose name ends with `nameEnd`. Throws if there is none, or if the archive cannot be
 * read.
 */
export async function fileInZip(archive, nameEnd) {
  const entry = entriesOf(archive).find(({ name }) => name.endsWith(nameEnd));
  if (!entry) throw new Error(`the archive has no ${nameEnd}`);
  const { at, method, packedBytes, bytes } = entry;
  const from = at + 30 + archive.readUInt16LE(at + 26) + archive.readUInt16LE(at + 28);
  const packed = archive.subarray(from, from + packedBytes);
  if (method === STORED) return packed;
  if (method !== DEFLATED) throw new Error(`${nameEnd} is packed in a way that is not read here (${method})`);
  return promisify(inflateRaw)(packed, { maxOutputLength: Math.max(1, bytes) });
}

function* entries(archive) {
  const end = endOf(archive);
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (archive.readUInt32LE(at) !== ENTRY) throw new Error('the directory of the archive is damaged');
    const [name, extra, comment] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset));
    yield {
      name: archive.toString('utf8', at + 46, at + 46 + name),
      method: archive.readUInt16LE(at + 10),
      packedBytes: archive.readUInt32LE(at + 20),
      bytes: archive.readUInt32LE(at + 24),
      at: archive.readUInt32LE(at + 42),
    };
    at += 46 + name + extra + comment;
  }
}

const entriesOf = (archive) => [...entries(archive)];

function endOf(archive) {
  for (let at = archive.length - END_BYTES; at >= Math.max(0, archive.length - END_BYTES - LONGEST_COMMENT); at -= 1)
    if (archive.readUInt32LE(at) === END) return at;
  throw new Error('this is no zip archive');
}
