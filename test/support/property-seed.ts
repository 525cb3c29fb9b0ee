// One seed for every property of a run, because a gate must not depend on luck. `PROPERTY_SEED=7 npm test` tries other
// cases.
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.PROPERTY_SEED ?? 1) });
