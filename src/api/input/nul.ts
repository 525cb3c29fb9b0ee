// A NUL character is a character to JSON and to a URL, and none to PostgreSQL, which fails on a text that has one: it is refused at the door.

/** Whether a text, or any text or name inside a value, has one. A value is as deep as the schema that it was held against. */
export function containsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, member]) => containsNul(name) || containsNul(member));
}
