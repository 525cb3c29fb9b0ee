// A port for a program that a test is about to start.
export const { freePorts } = require('../../../scripts/process/ports.mjs') as {
  freePorts(count: number): Promise<number[]>;
};

export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  return port!;
}
