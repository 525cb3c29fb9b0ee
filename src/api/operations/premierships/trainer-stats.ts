// GET /v1/racing/trainers/stats (B 2.8, B 4.9).
import { premiershipStats } from './premiership-stats';

export const trainerStats = premiershipStats('trainer', { name: 'B Trainer', code: '20311' });
