// Alerts that page about prices, races, results and registries. `of`: a duration in PromQL's notation (durations.mjs).
// A figure from the database is the same on every process that reports it: hence `max`.
import { lately, NO_WORKER, SERVER_AWAY, SERVER_SLOW, unlessAway } from './causes.mjs';
import { HOUR, MINUTE } from './durations.mjs';

/**
 * The highest value of the last minutes: a scrape that once lacks the figure, because the database was slow, does not
 * restart the wait of the rule.
 */
const highest = (figure, of) => `max(max_over_time(${figure}[${of(5 * MINUTE)}]))`;

export const COLLECTION = [
  {
    alert: 'LiveRacesUnpolled',
    expr: () => unlessAway('max(racing_live_races_unpolled) > 0', lately(NO_WORKER), lately(SERVER_AWAY), SERVER_SLOW),
    for: MINUTE,
    severity: 'page',
    summary: '{{ $value }} live races have had no price from any book for 30 seconds',
  },
  {
    alert: 'NearPollsThinned',
    why: 'A poll that is not made in time is thinned, and not late: the lag of those that are made stays short.',
    expr: (of) => {
      const near = (figure) => `sum(rate(${figure}{urgency="near"}[${of(5 * MINUTE)}]))`;
      const thinned = near('racing_polls_thinned_total');
      return `${thinned}
  / (${thinned} + ${near('racing_poll_lag_count')}) > 0.1`;
    },
    for: 5 * MINUTE,
    severity: 'ticket',
    summary: '{{ $value | humanizePercentage }} of the polls of races near their jump are not made',
  },
  {
    alert: 'PollsThinned',
    expr: () => 'racing_polls_waiting > 0',
    for: 5 * MINUTE,
    severity: 'ticket',
    summary: '{{ $labels.instance }} does not keep up and thins its polls',
  },
  {
    alert: 'FeedFailing',
    why: 'A book that replies 304 answers: near a jump most replies of some are that.',
    expr: (of) => `sum by (book) (rate(racing_feed_call_duration_count{outcome!~"ok|unchanged"}[${of(10 * MINUTE)}]))
  / sum by (book) (rate(racing_feed_call_duration_count[${of(10 * MINUTE)}])) > 0.5`,
    for: 10 * MINUTE,
    severity: 'ticket',
    summary: 'more than half of the calls to {{ $labels.book }} fail',
  },
  {
    alert: 'ListsFailing',
    expr: () => 'max by (book) (racing_lists_failing) > 0',
    for: 15 * MINUTE,
    severity: 'ticket',
    summary: 'the list of races of {{ $labels.book }} has failed {{ $value }} times in a row',
  },
  {
    alert: 'MostListsFailing',
    why: 'Two runs of discovery: what refuses us for a minute in one of them is over before the next.',
    expr: () => `count(max by (book) (racing_lists_failing) > 0 unless on (book) min by (book) (racing_lists_age) <= ${10 * MINUTE})
  > 0.5 * count(max by (book) (racing_lists_failing))`,
    for: MINUTE,
    severity: 'page',
    summary: 'the lists of races of {{ $value }} books, more than half, fail',
    section: 'lists-failing',
  },
  {
    alert: 'ListsNotRead',
    why: '`absent`: no list was ever read. Where every figure is missing, that is an alert of its own.',
    expr: () =>
      unlessAway(
        `min(racing_lists_age) > ${15 * MINUTE} or absent(racing_lists_age) unless on () absent(racing_results_overdue)`,
        NO_WORKER,
        SERVER_AWAY,
        SERVER_SLOW,
      ),
    for: 5 * MINUTE,
    severity: 'page',
    summary: 'no list of races of any book has been read for a quarter of an hour',
  },
  {
    alert: 'NothingListed',
    expr: (of) => `${highest('racing_lists_races', of)} == 0`,
    for: 5 * MINUTE,
    severity: 'page',
    summary: 'the list of races of every book is empty',
  },
  {
    alert: 'ResultsOverdue',
    expr: () => 'max(racing_results_overdue) > 0',
    for: 15 * MINUTE,
    severity: 'ticket',
    summary: '{{ $value }} races have no final result three hours after their start',
  },
  {
    alert: 'FieldsOverdue',
    expr: (of) => `${highest('racing_fields_overdue', of)} > 0`,
    for: HOUR,
    severity: 'ticket',
    summary: '{{ $value }} races still miss a full field that their registry should have published',
  },
  {
    alert: 'RegistryWalled',
    expr: (of) => `${highest('racing_registries_walled', of)} > 0`,
    for: HOUR,
    severity: 'ticket',
    summary: '{{ $value }} registries have refused us for an hour',
  },
  {
    alert: 'FeedOfSportsFailing',
    why: 'A level: the feed is called every quarter of an hour when no match is near, so its calls have no rate.',
    expr: (of) => `max(last_over_time(racing_sports_failing[${of(5 * MINUTE)}])) > 0`,
    for: 10 * MINUTE,
    severity: 'ticket',
    summary: 'the feed of sports has not answered for {{ $value | humanizeDuration }}',
    section: 'feed-of-sports-silent',
  },
  {
    alert: 'FeedOfSportsEmpty',
    expr: (of) => `${highest('racing_sports_listed', of)} == 0`,
    for: 10 * MINUTE,
    severity: 'ticket',
    summary: 'the feed of sports lists no match to come',
    section: 'feed-of-sports-silent',
  },
  {
    alert: 'DecisionsFailing',
    expr: () => 'sum(racing_decisions_failing) > 0',
    for: 5 * MINUTE,
    severity: 'page',
    summary: 'decisions about {{ $value }} races have failed ten times and are not written',
  },
  {
    alert: 'ClockAhead',
    expr: () => 'abs(racing_clock_ahead) > 1',
    for: 5 * MINUTE,
    severity: 'page',
    summary: 'the clock of {{ $labels.instance }} and the database differ by {{ $value }} s',
  },
  {
    alert: 'PollsAhead',
    expr: () => 'max(racing_polls_ahead) > 0',
    for: 2 * MINUTE,
    severity: 'page',
    summary: '{{ $value }} prices of races around now are stamped ahead of the database and no reply replaces them',
  },
];
