// How an owner checks a statement without us: the rule, and programs that follow it. docs/accounts.md has the same.
import { type Html, html } from '../../html';

export const CHECK_PYTHON = `import csv, hashlib, sys

effect = 0
for row in csv.reader(open(sys.argv[1], newline="", encoding="utf-8")):
    record, line, head = row[0], row[1:14], row[14]
    if record == "line":
        chain.update("".join(field + "\\0" for field in line).encode())
        effect += int(line[-1])
    if record == "day" and chain.hexdigest() != head:
        sys.exit(f"{line[0]}: the head differs")
    if record in ("opening", "day"):
        chain = hashlib.sha256(head.encode())
    if record == "month" and int(line[-1]) == effect:
        print("complete up to", line[0], "head", head)
`;

export const CHECK_NODE = `import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

let [chain, effect, row] = [null, 0, []];
const cells = /(?:"((?:[^"]|"")*)"|([^,"\\r\\n]*))(,|\\r\\n)/g;
for (const [, quoted, plain, end] of readFileSync(process.argv[2], 'utf8').matchAll(cells)) {
  if (row.push(quoted?.replaceAll('""', '"') ?? plain) && end === ',') continue;
  const [record, line, head] = [row[0], row.slice(1, 14), row[14]];
  if (record === 'line') chain.update(line.map((field) => field + '\\0').join(''));
  if (record === 'line') effect += Number(line[12]);
  if (record === 'day' && chain.digest('hex') !== head) throw new Error(\`\${line[0]}: the head differs\`);
  if (record === 'opening' || record === 'day') chain = createHash('sha256').update(head);
  if (record === 'month' && Number(line[12]) === effect) console.log('complete up to', line[0], 'head', head);
  row = [];
}
`;

export const checkText = (): Html =>
  html`<details class="more" id="check"><summary>How to check a statement</summary>
<p>The head of a day is the SHA-256 of the head before it, in hexadecimal, and of the lines of the day. A line counts as its columns from <code>day</code> to <code>balance_effect</code>, in UTF-8, each followed by a NUL byte. The row <code>opening</code> has the head before the first day, the row <code>day</code> the sums and the head of a day, and the row <code>month</code> the sums of all and the last head. The name of a key may change, so it is behind the head.</p>
<p>Each month has a chain of its own: keep the last head of every month, and a later download proves that no line of that month before it was changed. With Python: <code>python3 check.py statement.csv</code></p>
<pre tabindex="0"><code>${CHECK_PYTHON}</code></pre>
<p>With Node: <code>node check.mjs statement.csv</code></p>
<pre tabindex="0"><code>${CHECK_NODE}</code></pre></details>`;
