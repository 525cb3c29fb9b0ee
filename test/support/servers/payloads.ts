// The input, results and failures of a workflow, as text.

/** Every payload of a history, and every message of a failure. */
export function payloadsOf(history: unknown): string {
  const found: string[] = [];
  JSON.stringify(history, (key, value) => {
    if (key === 'data' && value?.type === 'Buffer') found.push(Buffer.from(value.data).toString());
    if (key === 'data' && typeof value === 'string') found.push(Buffer.from(value, 'base64').toString());
    if (typeof value === 'string' && key !== 'data') found.push(value);
    return value;
  });
  return found.join('\n');
}
