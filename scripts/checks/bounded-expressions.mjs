// The expressions that may take more than linear time, because their input is short. `most`: characters.

const setting = 'a setting of the operator';
const ownText = 'a text of this repository';
const ownTable = 'a row of a table in the code';
const feedText = 'a text of a feed, no longer than `textOf` returns';
const lineOfForm = 'a line of a form page, cut to 1,000';
const headOfPage = 'the head of a page, cut to 20,000';
const pieceOfPage = 'a piece of a page, no longer than `squeezed` returns';

export const BOUNDED = [
  { expression: String.raw`/\/+$/`, most: 2000, why: setting },
  { expression: String.raw`/(?<=^import .* from ')\.\/([^']+)/gm`, most: 500, why: ownText },
  { expression: String.raw`/\s*\([a-z]{2,3}\)\s*$/i`, most: 500, why: feedText },
  { expression: String.raw`/^([a-z\s/-]*)(?:\(?\s*(\d{1,2})\s*\)?)?$/`, most: 500, why: feedText },
  { expression: String.raw`/\s*(\([a-z]{2,3}\))\s*$/i`, most: 500, why: feedText },
  { expression: String.raw`/^R(\d{1,2})\s+(\d{3,4})m(?:\s+(.+))?$/`, most: 500, why: feedText },
  { expression: String.raw`/\s*kg$/i`, most: 500, why: feedText },
  {
    expression: String.raw`/Total Number of .{0,80}?including emergencies ?\)? ?:? ?(\d+)/i`,
    most: 10_000,
    why: pieceOfPage,
  },
  {
    expression: String.raw`/Race (\d{1,3}) ?- ?(\d{1,2}:\d{2} ?[AP]M)? ?(.{0,300}?) ?\((\d[\d,]{0,9}) ?METRES?\)/i`,
    most: 10_000,
    why: pieceOfPage,
  },
  { expression: String.raw`/^(.*?)\s*\((a)(\d+(?:\.\d+)?)?(?:\/\d+(?:\.\d+)?kg)?\)\s*$/i`, most: 500, why: feedText },
  { expression: String.raw`/^([A-Za-z]{3}\s+\d{1,2}-[A-Za-z]{3})\s+(.+)$/`, most: 500, why: feedText },
  { expression: '/<title[^>]{0,200}>([^<]{0,200})/i', most: 20_000, why: headOfPage },
  { expression: String.raw`/^- <a id="([a-z0-9-]+)"><\/a>\*\*(.+?)\.\*\* (\S.*)$/`, most: 500, why: ownText },
  { expression: String.raw`/\[([^\]]*)\]/g`, most: 500, why: ownTable },
  { expression: String.raw`/\([^)]*\)|\b(?:game|gm) ?[12]\b/gi`, most: 500, why: feedText },
  { expression: String.raw`/\s*\(Late:.*$/i`, most: 500, why: feedText },
  {
    expression: String.raw`/(\d+yo.*?)\s+D\.?O\.?B\.?:?\s*(\S+)\s+by\s+(.+?)\s+from\s+(.+?)(?:\s+View\b.*)?$/i`,
    most: 1000,
    why: lineOfForm,
  },
  { expression: String.raw`/^(.+?)\s+(\d{1,2}[A-Za-z]{3}\d{2})\b/`, most: 1000, why: lineOfForm },
  {
    expression: String.raw`/^ ?(\d{3,5})m ([A-Za-z]+) ?(\d{1,2})?\b ?(.*?) ?(?:\$([\d,.]+))? ?(?:\(\$([\d,.]+)\))? ?$/`,
    most: 1000,
    why: lineOfForm,
  },
  {
    expression: String.raw`/\b(?:(\d{1,2}):)?(\d{1,2}\.\d{1,2})\s*(?:\((\d{3,4})m\s+(\d{1,2}\.\d{1,2})\))?\s*(?:,|$)/`,
    most: 1000,
    why: lineOfForm,
  },
  { expression: String.raw`/(\d+(?:\.\d+)?)L\b/`, most: 1000, why: lineOfForm },
  { expression: String.raw`/(\$\d[\d.,]*(?:\/\$\d[\d.,]*)*) ?[FE]* ?$/i`, most: 1000, why: lineOfForm },
  { expression: String.raw`/\d+(?:\.\d+)?\s*kg\b/`, most: 1000, why: lineOfForm },
  { expression: String.raw`/\([^)]*\)|\[[^\]]*\]/g`, most: 500, why: feedText },
  { expression: String.raw`/\/|&|\+|\s+and\s+/i`, most: 500, why: feedText },
];
