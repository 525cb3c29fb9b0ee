// Programs that make one call, in three languages, from one description of it.
import type { Sample } from '../../../web/reference/model';

export interface SampleCall {
  /** In upper case. */
  readonly method: string;
  /** Without the query. */
  readonly url: string;
  /** As they are sent. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Sent as JSON; undefined: there is none. */
  readonly body?: unknown;
  readonly takesKey: boolean;
  /** `text`: CSV; `events`: server-sent events. */
  readonly answer: 'json' | 'text' | 'events' | { readonly file: string };
}

export const samplesOf = (call: SampleCall): readonly Sample[] =>
  [curl, typescript, python].map((write) => {
    const sample = write(call);
    return { ...sample, key: call.takesKey ? sample.key : null };
  });

/** A comma separates values and stays readable; a quote would end the text that the address stands in. */
const encoded = (value: string): string => encodeURIComponent(value).replaceAll('%2C', ',').replaceAll("'", '%27');

const addressOf = ({ url, query }: SampleCall): string =>
  query.length === 0 ? url : `${url}?${query.map(([name, value]) => `${name}=${encoded(value)}`).join('&')}`;

function curl(call: SampleCall): Sample {
  const { method, body, takesKey, answer } = call;
  const key = '$ODDS_API_KEY';
  const lines = [
    `curl ${answer === 'events' ? '-N ' : ''}${method === 'GET' ? '' : `-X ${method} `}"${addressOf(call)}"`,
    ...(takesKey ? [`-H "X-API-Key: ${key}"`] : []),
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"', `-d ${shellQuoted(JSON.stringify(body))}`]),
    ...(typeof answer === 'object' ? [`--output ${answer.file}`] : []),
  ];
  return { language: 'curl', code: lines.join(' \\\n  '), key, quote: '' };
}

const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function typescript(call: SampleCall): Sample {
  const { method, body, takesKey, answer } = call;
  const key = 'env.ODDS_API_KEY!';
  const headers = [
    ...(takesKey ? [`'X-API-Key': ${key}`] : []),
    ...(body === undefined ? [] : [`'Content-Type': 'application/json'`]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0 ? [] : [`  headers: { ${headers.join(', ')} },`]),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(JSON.stringify(body, null, 2))}),`]),
  ];
  const init = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`;
  const code = `const response = await fetch('${addressOf(call)}'${init});
if (!response.ok) throw new Error(\`\${response.status}: \${await response.text()}\`);
${READ[typeof answer === 'object' ? 'file' : answer](typeof answer === 'object' ? answer.file : '')}`;
  const imports = [
    ...(typeof answer === 'object' ? [`import { writeFile } from 'node:fs/promises';\n`] : []),
    ...(takesKey ? [`import { env } from 'node:process';\n`] : []),
  ];
  const head = imports.length === 0 ? '' : `${imports.join('')}\n`;
  return { language: 'TypeScript', code: head + code, key, quote: "'" };
}

const READ = {
  json: () => 'console.log(await response.json());',
  text: () => 'console.log(await response.text());',
  events: () => 'for await (const text of response.body!.pipeThrough(new TextDecoderStream())) console.log(text);',
  file: (name: string) => `await writeFile('${name}', Buffer.from(await response.arrayBuffer()));`,
} as const;

const indented = (text: string): string => text.replaceAll('\n', '\n  ');

function python(call: SampleCall): Sample {
  const { method, url, query, body, takesKey, answer } = call;
  const key = 'os.environ["ODDS_API_KEY"]';
  const given = [
    `"${url}"`,
    ...(query.length === 0
      ? []
      : [`params={${query.map(([name, value]) => `"${name}": ${JSON.stringify(value)}`).join(', ')}}`]),
    ...(takesKey ? [`headers={"X-API-Key": ${key}}`] : []),
    ...(body === undefined ? [] : [`json=${pythonLiteral(body)}`]),
    ...(answer === 'events' ? ['stream=True'] : []),
    'timeout=30',
  ];
  const code = `${takesKey ? 'import os\n\n' : ''}import requests

response = requests.${method.toLowerCase()}(
${given.map((one) => `    ${one},`).join('\n')}
)
response.raise_for_status()
${readInPython(answer)}`;
  return { language: 'Python', code, key, quote: '"' };
}

function readInPython(answer: SampleCall['answer']): string {
  if (typeof answer === 'object') return `with open("${answer.file}", "wb") as file:\n    file.write(response.content)`;
  if (answer === 'events') return 'for line in response.iter_lines(decode_unicode=True):\n    print(line)';
  return answer === 'json' ? 'print(response.json())' : 'print(response.text)';
}

function pythonLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([name, member]) => `${JSON.stringify(name)}: ${pythonLiteral(member)}`)
      .join(', ')}}`;
  if (value === null) return 'None';
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);
}
