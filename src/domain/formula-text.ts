// Names that a spreadsheet would execute as a formula when it opens a file with them. Pure.

const BEGINS = /^\s*[=+@-]/;

/**
 * Whether a name begins with =, +, - or @, or their full-width forms, which spreadsheets of some languages treat the
 * same.
 */
export const isFormula = (name: string): boolean => BEGINS.test(name.normalize('NFKC'));
