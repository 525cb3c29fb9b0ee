// What the syntax trees of TypeScript sources contain: imports, the length of functions, and exported names.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { commentLines, lineFinder } from './wide-lines.mjs';

/** Every TypeScript file below `folder`, as a path relative to it with `/`. */
const typescriptFiles = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.d.ts'))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort();

/** Each file below `folder`: `{ file, lines, imports, functions: [{ name, lines }], exported }`. */
export const readSources = (folder) => typescriptFiles(folder).map((file) => readSource(folder, file));

function readSource(folder, file) {
  const text = readFileSync(join(folder, file), 'utf8');
  const { program, module, comments } = parseSync(file, text);
  const static_ = [...module.staticImports, ...module.staticExports.flatMap(({ entries }) => entries)];
  const specifiers = static_.map(({ moduleRequest }) => moduleRequest?.value);
  const dynamic = module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1));
  return {
    file,
    lines: text.split('\n').length - 1,
    imports: [...specifiers.filter(Boolean), ...dynamic],
    functions: functionsOf(program, text, commentLines(text, comments)),
    exported: exportedOf(program),
  };
}

/** From its first line to its last, inclusive, without comment lines. */
function functionsOf(program, text, comments) {
  const found = [];
  const lineOf = lineFinder(text);
  const names = new Map();
  /** @param {any} node */
  const named = ({ id, key, init, value }) => {
    const holder = init ?? value;
    if (holder) names.set(holder, (id ?? key).name);
  };
  const note = (node) => {
    if (!node.body) return;
    let lines = 0;
    for (let line = lineOf(node.start); line <= lineOf(node.end); line += 1) if (!comments.has(line)) lines += 1;
    found.push({ name: node.id?.name ?? names.get(node) ?? 'without a name', lines });
  };
  new Visitor({
    VariableDeclarator: named,
    Property: named,
    MethodDefinition: named,
    FunctionDeclaration: note,
    FunctionExpression: note,
    ArrowFunctionExpression: note,
  }).visit(program);
  return found;
}

/** Names that the file declares and exports; re-exported names are not among them. */
function exportedOf(program) {
  const names = program.body
    .filter(({ type, declaration }) => type === 'ExportNamedDeclaration' && declaration)
    .flatMap(({ declaration }) => declaration.declarations ?? [declaration])
    .flatMap(({ id }) => (id?.name ? [id.name] : []));
  return [...new Set(names)];
}
