// Reads the bytes of a connection as HTTP/1.1 responses, strictly: unreadable bytes are a finding, never skipped.
const HEAD_MOST = 64 * 1024;
const HEAD_END = '\r\n\r\n';

/** `methods[i]`: the method of the request that the i-th response answers. */
export function responseReader(methods) {
  const answers = [];
  let rest = Buffer.alloc(0);
  /** @type {any} The response that is being read. */
  let current = null;
  let unreadable = null;

  const take = (length) => {
    const taken = rest.subarray(0, length);
    rest = rest.subarray(length);
    return taken;
  };
  const takeLine = () => {
    const end = rest.indexOf('\r\n');
    return end < 0
      ? null
      : take(end + 2)
          .toString('latin1')
          .slice(0, -2);
  };
  const complete = () => {
    const { status, headers, chunks } = current;
    if (status >= 200) answers.push({ status, headers, body: Buffer.concat(chunks) });
    current = null;
    return true;
  };

  const steps = {
    head: () => {
      const end = rest.indexOf(HEAD_END);
      if (end < 0 && rest.length > HEAD_MOST) throw new Error('a head without an end');
      if (end < 0) return false;
      current = { ...headIn(take(end + 4).toString('latin1')), chunks: [] };
      Object.assign(current, bodyOf(current, methods[answers.length]));
      return current.step === 'none' ? complete() : true;
    },
    sized: () => {
      const part = take(Math.min(current.left, rest.length));
      current.left -= part.length;
      current.chunks.push(part);
      return current.left === 0 ? complete() : false;
    },
    chunked: () => {
      const line = takeLine();
      if (line === null) return false;
      if (!/^[\da-f]{1,8}$/i.test(line)) throw new Error(`a chunk of the size ${JSON.stringify(line.slice(0, 40))}`);
      current.left = Number.parseInt(line, 16);
      current.step = current.left === 0 ? 'trailers' : 'chunk';
      return true;
    },
    chunk: () => {
      if (rest.length < current.left + 2) return false;
      current.chunks.push(take(current.left));
      if (takeLine() !== '') throw new Error('a chunk longer than its size');
      current.step = 'chunked';
      return true;
    },
    trailers: () => {
      const line = takeLine();
      if (line === null) return false;
      return line === '' ? complete() : true;
    },
    untilClose: () => {
      current.chunks.push(take(rest.length));
      return false;
    },
  };

  return {
    answers,
    push(chunk) {
      if (unreadable) return;
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      try {
        while (rest.length > 0 && steps[current?.step ?? 'head']());
      } catch (error) {
        unreadable = error.message;
      }
    },
    /** The connection has ended: the fault in the remaining bytes; null if there is none. */
    end() {
      if (current?.step === 'untilClose') complete();
      if (unreadable) return unreadable;
      if (current && methods[answers.length] === 'HEAD' && current.chunks.length === 0) complete();
      return current || rest.length > 0 ? 'a response without its end' : null;
    },
  };
}

// The server does not know that an unreadable request was a HEAD, and ends the connection.
const isUnread = (status, headers) => status === 400 && headers.get('connection') === 'close';

function headIn(text) {
  const [first, ...lines] = text.slice(0, -HEAD_END.length).split('\r\n');
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(`${first} `) ?? [];
  if (!status) throw new Error(`a first line ${JSON.stringify(first.slice(0, 60))}`);
  const headers = new Map();
  for (const line of lines) {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*)$/.exec(line) ?? [];
    if (!name) throw new Error(`a header line ${JSON.stringify(line.slice(0, 60))}`);
    headers.set(name.toLowerCase(), value);
  }
  return { status: Number(status), headers };
}

function bodyOf({ status, headers }, method) {
  if (status < 200 || status === 204 || status === 304) return { step: 'none' };
  if (method === 'HEAD' && !isUnread(status, headers)) return { step: 'none' };
  if (/chunked/i.test(headers.get('transfer-encoding') ?? '')) return { step: 'chunked' };
  const length = headers.get('content-length');
  if (length === undefined) return { step: 'untilClose' };
  if (!/^\d+$/.test(length)) throw new Error(`a Content-Length ${JSON.stringify(length)}`);
  return length === '0' ? { step: 'none' } : { step: 'sized', left: Number(length) };
}
