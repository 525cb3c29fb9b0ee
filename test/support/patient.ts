/** How long a test waits for what is to come: longer than a machine stands still, shorter than a test may take (300 s). Wall. */
export const PATIENT_MS = 240_000;
