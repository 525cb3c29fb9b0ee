// Limits how far ahead a plan may look (A 4.1): a request beyond it is a free 403 that names a sufficient plan, and is
// never silently clamped.
import { AppError } from '../../../errors';
import { planForHorizon } from '../../../plans/plans';
import { type HorizonQuery, hoursUsed } from './board-window';
import type { Gate } from './endpoint';
import { upgradeUrl } from './upgrade';

export { hoursUsed };

export const HORIZON: Gate<HorizonQuery> = {
  text: 'Free and Hobby plans look 24 hours ahead, Standard 48, Plus and above 168.',
  errors: ['horizon_exceeded'],
  headers: {
    'X-Horizon-Hours': 'Number of hours ahead that the plan of this key may look.',
    'X-Horizon-Used-Hours': 'Number of hours ahead that this request looks; of a `date`, to the end of that day.',
  },
  check({ caller, query, nowMs, setHeader, baseUrl }) {
    const allowed = caller.plan.horizonHours;
    const used = hoursUsed(query, nowMs);
    setHeader('X-Horizon-Hours', String(allowed));
    setHeader('X-Horizon-Used-Hours', String(used));
    if (used <= allowed) return;
    const enough = planForHorizon(used);
    const fix = enough ? `${used} hours need the ${enough.title} plan or above` : `no plan reaches ${used} hours`;
    const detail = `The ${caller.plan.title} plan looks ${allowed} hours ahead; ${fix}.`;
    const extensions = enough ? { required_plan: enough.id, upgrade_url: upgradeUrl(baseUrl) } : {};
    throw new AppError('horizon_exceeded', detail, extensions);
  },
};
