// GET /v1/racing/jockeys/stats (B 2.8, B 4.9).
import { premiershipStats } from './premiership-stats';

export const jockeyStats = premiershipStats('jockey', { name: 'A Rider', code: '30417' });
