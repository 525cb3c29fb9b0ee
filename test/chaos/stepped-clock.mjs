// Loaded into a worker before its own code: SIGWINCH sets its system clock ten minutes ahead, or right again, as an
// operator or NTP would.
const SystemDate = Date;
const STEP_MS = 600_000;
let aheadMs = 0;

/** @type {any} */ (globalThis).Date = class SteppedDate extends SystemDate {
  constructor(...given) {
    super(.../** @type {[any]} */ (given.length === 0 ? [SystemDate.now() + aheadMs] : given));
  }
  /** @override */
  static now() {
    return SystemDate.now() + aheadMs;
  }
};
process.on('SIGWINCH', () => {
  aheadMs = aheadMs === 0 ? STEP_MS : 0;
});
