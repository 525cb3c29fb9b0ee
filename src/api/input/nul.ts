// Finds NUL characters: JSON and URLs allow them, but PostgreSQL fails on a text that contains one, so input with one is refused.

/** Whether a text, or any text or name inside a value, contains one. */
export function containsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, member]) => containsNul(name) || containsNul(member));
}
