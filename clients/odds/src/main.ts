#!/usr/bin/env node
// The edges of the process: its streams, the signals that end it, and a reader that has gone.
import { constants } from 'node:os';
import process from 'node:process';
import { Interrupted, ReaderGone } from './io/io.ts';
import { odds } from './program.ts';

const ended = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(name, () => ended.abort(new Interrupted(128 + constants.signals[name])));
for (const output of [process.stdout, process.stderr])
  output.on('error', (error: NodeJS.ErrnoException) => ended.abort(error.code === 'EPIPE' ? new ReaderGone() : error));

process.exitCode = await odds(process.argv.slice(2), {
  out: process.stdout,
  err: process.stderr,
  env: process.env,
  signal: ended.signal,
});
