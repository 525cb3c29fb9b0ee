// NUL characters: URLs allow them, but PostgreSQL fails on a text that contains one, so a parameter with one is
// refused.
export const containsNul = (text: string): boolean => text.includes('\0');
