// Names that a spreadsheet would run as a formula when it opens a file with them. Pure.

const BEGINS = /^\s*[=+@-]/;

/**
 * Whether a name begins with =, +, - or @, also in their full width, which spreadsheets of some languages take for the
 * same.
 */
export const isFormula = (name: string): boolean => BEGINS.test(name.normalize('NFKC'));
