// The pages for search engines and models: a description of each, and the sitemap that lists it (A 4.14). A test
// compares the list with the routes. Left out: parts of pages, pages of one race or runner, which their days link to,
// and pages of an account.
import type { Day } from '../../domain/race/race';
import { GUIDES, guidePath } from '../guides/guides';

export interface SitePage {
  readonly path: string;
  readonly title: string;
  readonly about: string;
  readonly sitemap: 'core' | 'tools' | 'sports' | 'api' | 'legal';
}

/** A document that readers poll. */
export interface Feed extends Pick<SitePage, 'path' | 'title' | 'about'> {
  /** Media type. */
  readonly type: string;
  text(baseUrl: string): string;
}

/** The page data for the documents about the site. */
export interface Site {
  readonly pages: readonly SitePage[];
  readonly feeds: readonly Feed[];
  /** The newest days with past races, which have a page each. */
  pastDays(): Promise<readonly Day[]>;
  /** The permanent addresses of the days around today. */
  dayPaths(): Promise<readonly string[]>;
}

export const SITE_PAGES: readonly SitePage[] = [
  {
    path: '/',
    title: 'Home',
    about:
      'Fixed odds of Australian bookmakers on thoroughbred, harness and greyhound races, each price with its age: a live board and an API.',
    sitemap: 'core',
  },
  { path: '/live', title: 'Live board', about: 'The next races with the prices of every bookmaker.', sitemap: 'core' },
  {
    path: '/today',
    title: 'Races today',
    about: 'Every meeting of the day, its track and each race with its time or winner.',
    sitemap: 'core',
  },
  { path: '/tomorrow', title: 'Races tomorrow', about: 'Every meeting of the next day.', sitemap: 'core' },
  {
    path: '/results',
    title: 'Results today',
    about: 'Placings, settled prices, margins, times and dividends, by meeting.',
    sitemap: 'core',
  },
  {
    path: '/movers',
    title: 'Movers',
    about: 'The runners whose price has moved most before their race.',
    sitemap: 'core',
  },
  { path: '/search', title: 'Search', about: 'Runners, jockeys, drivers, trainers and venues.', sitemap: 'core' },
  { path: '/signup', title: 'Get a key', about: 'A free account and its API key.', sitemap: 'core' },
  {
    path: '/about',
    title: 'About',
    about: 'Who the service is for, what it has, and where to write.',
    sitemap: 'core',
  },
  {
    path: '/pricing',
    title: 'Plans and prices',
    about: 'Every plan with its price and limits, and what each call costs.',
    sitemap: 'core',
  },
  {
    path: '/status',
    title: 'Status',
    about: 'Measured uptime of 30 days, by day, and the outages that its own checks found.',
    sitemap: 'tools',
  },
  {
    path: '/coverage-report',
    title: 'Coverage report',
    about: 'The share of races with prices of each bookmaker, and how complete results and the archive are.',
    sitemap: 'tools',
  },
  {
    path: '/price-quality',
    title: 'Price quality',
    about: 'How often each bookmaker had the best price before the jump, and how often a stale one.',
    sitemap: 'tools',
  },
  {
    path: '/data-quality',
    title: 'Data quality',
    about: 'How fresh the prices are, and audits of them against a second reading of the bookmakers.',
    sitemap: 'tools',
  },
  {
    path: '/sports',
    title: 'Sports odds',
    about: 'Matches to come by sport, with the best price of each side and every book’s prices.',
    sitemap: 'sports',
  },
  {
    path: '/sports/arbs',
    title: 'Sports arbs',
    about: 'Prices of different books that return more than they cost, with age and confidence.',
    sitemap: 'sports',
  },
  {
    path: '/past',
    title: 'Past races',
    about: 'Closing lines, price paths and results, day by day.',
    sitemap: 'sports',
  },
  {
    path: '/contract',
    title: 'Contract',
    about: 'What the service promises, a clause at a time: fields, costs, limits and rules.',
    sitemap: 'api',
  },
  {
    path: '/changelog',
    title: 'Changelog',
    about: 'Every change that customers can see, with its date.',
    sitemap: 'api',
  },
  ...GUIDES.map((one): SitePage => ({ path: guidePath(one), title: one.title, about: one.about, sitemap: 'api' })),
  { path: '/errors', title: 'Problems', about: 'Every error code, what it means and what to do.', sitemap: 'api' },
  { path: '/terms', title: 'Terms of use', about: 'Terms of accounts, data and payments.', sitemap: 'legal' },
  {
    path: '/privacy',
    title: 'Privacy statement',
    about: 'Which personal data is stored, what for and for how long.',
    sitemap: 'legal',
  },
];
