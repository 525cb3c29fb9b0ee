/** What a test gives a feed that is to answer: longer than a machine stands still, shorter than a test may take (300 s). */
export const PATIENT_MS = 250_000;
