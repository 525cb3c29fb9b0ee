// The one key that the pretend Topaz takes. Configuration hands it out as long as the service reads the pretend one.
export const SIMULATED_KEY = 'simulated-topaz-key';
