// Reads server-sent events from the text of a stream, as the standard describes them (WHATWG HTML, 9.2).
import { FormatError } from '../errors.ts';

export interface Block {
  readonly event: string;
  /** Undefined: the block has no event. */
  readonly data?: string;
  readonly id?: string;
  readonly retryMs?: number;
}

/** Characters of one event. */
const LONGEST = 16 * 1024 * 1024;

export class EventReader {
  readonly #decoder = new TextDecoder();
  #text = '';
  /** Before it there is no end of a block. */
  #searched = 0;

  /** The blocks that these bytes complete. */
  *read(bytes: Uint8Array<ArrayBuffer>): Generator<Block, void, undefined> {
    this.#text += this.#decoder.decode(bytes, { stream: true });
    for (let block = this.#next(); block !== null; block = this.#next()) yield blockOf(block);
    if (this.#text.length > LONGEST) throw new FormatError('An event is too long.');
  }

  #next(): string | null {
    const end = /\r\n\r\n|\n\n|\r\r(?!\n)/g;
    end.lastIndex = this.#searched;
    const found = end.exec(this.#text);
    // The end may lie across two parts.
    this.#searched = found ? 0 : Math.max(0, this.#text.length - 3);
    if (!found) return null;
    const block = this.#text.slice(0, found.index);
    this.#text = this.#text.slice(found.index + found[0].length);
    return block;
  }
}

function blockOf(text: string): Block {
  const fields: Record<string, string> = {};
  for (const line of text.split(/\r\n|\n|\r/)) {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data' && fields.data !== undefined) fields.data += `\n${value}`;
    else if (name !== '') fields[name] = value;
  }
  const { event = 'message', data, id, retry } = fields;
  return {
    event,
    ...(data !== undefined && { data }),
    ...(id !== undefined && !id.includes('\0') && { id }),
    ...(retry !== undefined && /^\d+$/.test(retry) && { retryMs: Number(retry) }),
  };
}
