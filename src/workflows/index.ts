// The workflow types that a worker runs. Nothing else is inside the sandbox but what these import.
export { checkBetslipLinks } from './check-betslip-links';
export { collectResults } from './collect-results';
export { discoverMeetings } from './discover-meetings';
export { exchangeStream } from './exchange-stream';
export { measureUptime } from './measure-uptime';
export { race } from './race';
export { registryState } from './registry-state';
