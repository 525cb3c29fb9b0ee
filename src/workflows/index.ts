// The workflow types that a worker runs. Nothing else is inside the sandbox but what these import.
export { discoverMeetings } from './discover-meetings';
export { measureUptime } from './measure-uptime';
export { race } from './race';
