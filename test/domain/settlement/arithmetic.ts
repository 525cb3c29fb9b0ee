// Computes a step of a worked example, e.g. `60.00 × 1/2 × (1 − 0.10)`: only numbers, + − × ÷ / and brackets.

const TOKEN = /\d+(?:\.\d+)?|[-+×÷/()−]/g;

/** Throws for anything that it cannot read completely: text that is not arithmetic must not pass for a step. */
export function reckon(text: string): number {
  const tokens = text.match(TOKEN) ?? [];
  if (tokens.join('') !== text.replaceAll(' ', '')) throw new Error(`not arithmetic: ${text}`);
  const value = sum(tokens);
  if (tokens.length > 0 || Number.isNaN(value)) throw new Error(`not arithmetic: ${text}`);
  return value;
}

function sum(tokens: string[]): number {
  let value = product(tokens);
  while (['+', '-', '−'].includes(tokens[0]!)) value += tokens.shift() === '+' ? product(tokens) : -product(tokens);
  return value;
}

function product(tokens: string[]): number {
  let value = factor(tokens);
  while (['×', '÷', '/'].includes(tokens[0]!)) {
    if (tokens.shift() === '×') value *= factor(tokens);
    else value /= factor(tokens);
  }
  return value;
}

function factor(tokens: string[]): number {
  const token = tokens.shift();
  if (token === '-' || token === '−') return -factor(tokens);
  if (token !== '(') return Number(token);
  const value = sum(tokens);
  return tokens.shift() === ')' ? value : Number.NaN;
}
