// The usual questions, as prompts that name the tools to call and how to read what they return. Data only.
interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required?: boolean;
}

interface McpPrompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  text(given: Readonly<Record<string, string>>): string;
}

const READING =
  'Prices are decimal odds. Say how old each price is (`data_age_seconds`), and leave out what is stale or suspended. A null is unknown, never 0. Instants are UTC: show them in Australia/Sydney time.';

export const PROMPTS: readonly McpPrompt[] = [
  {
    name: 'next_races_with_value',
    title: 'Next races with value',
    description: 'The next races, and the runners whose best price is above the market’s consensus.',
    arguments: [
      { name: 'country', description: 'ISO country codes, comma-separated. Default: AU,NZ.' },
      { name: 'category', description: 'horse, greyhound or harness. Default: all.' },
    ],
    text: ({ country = 'AU,NZ', category }) =>
      `Find value in the next races. Call \`racing_next_to_go\` with country ${country}${category === undefined ? '' : ` and categories ${category}`}, then \`consensus\` for each of its races by \`race_id\`. List the runners whose best fixed win price times their consensus probability is above 1, highest first: venue and race, time to the jump, runner, best price, bookmaker, consensus probability and edge in per cent. ${READING} If there is none, say so. Add up what the calls cost.`,
  },
  {
    name: 'race_card',
    title: 'A race’s card',
    description: 'One race: its field, form, going and best prices.',
    arguments: [
      { name: 'venue', description: 'The name of the venue, such as Flemington.', required: true },
      { name: 'race_number', description: 'The number of the race.', required: true },
    ],
    text: ({ venue, race_number: number }) =>
      `Show the card of race ${number} at ${venue} today. Call \`racing_next_to_go\` with venue ${venue} to find its \`race_id\`, then \`race_form\` with it; if the race is not ahead, call \`racing_results\` with venue ${venue}. Show a table with number, runner, barrier or box, jockey or driver, trainer, weight, last starts and best price with its bookmaker. Mark scratchings. ${READING}`,
  },
  {
    name: 'who_moved',
    title: 'Who moved',
    description: 'The runners whose price has moved most before the jump.',
    arguments: [{ name: 'direction', description: '`firming` or `drifting`. Default: both.' }],
    text: ({ direction }) =>
      `Which runners have moved most? Call \`racing_movers\`${direction === undefined ? '' : ` with direction ${direction}`}. For the three largest moves, call \`racing_price_history\` with the \`race_id\` and say which bookmaker moved first. A negative move is a price that firms. ${READING}`,
  },
  {
    name: 'my_closing_line_value',
    title: 'My closing line value',
    description: 'How your bets compare with the closing prices.',
    arguments: [
      { name: 'bets', description: 'Your bets, one a line: venue, day, race, runner, price.', required: true },
    ],
    text: ({ bets }) =>
      `Measure the closing line value of these bets with one call of \`racing_clv\`:\n\n${bets}\n\nShow each bet with its price, the closing price, its CLV in per cent and its result, then the averages. List bets that could not be resolved with their \`reason\`, and leave them out of the averages. ${READING}`,
  },
  {
    name: 'what_a_call_costs',
    title: 'What a call costs',
    description: 'The credits that are left, and what your questions cost.',
    arguments: [{ name: 'question', description: 'What you want to know. Default: your use of this month.' }],
    text: ({ question }) =>
      `Call \`check_usage\`, which is free, and say how many credits are used, left, and when they reset.${question === undefined ? ' Name the operations that used most.' : ` Then list, without calling them, the tools that would answer this, with the cost that each description states, and the total: ${question}`}`,
  },
];
