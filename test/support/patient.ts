/** How long a test waits for an event: longer than a machine stands still, shorter than a test may take (300 s). Wall time. */
export const PATIENT_MS = 240_000;
