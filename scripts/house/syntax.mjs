// What the syntax trees of `src` show: how long functions are, and which exported names have several meanings.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { typescriptFiles } from './graph.mjs';

export function readTrees(ts, src) {
  return typescriptFiles(src).map((file) => ({
    file,
    tree: ts.createSourceFile(file, readFileSync(join(src, file), 'utf8'), ts.ScriptTarget.Latest, true),
  }));
}

/** Every function with its lines, from its first to its last: `{ file, name, lines }`. */
export function functionsOf(ts, trees) {
  const found = [];
  for (const { file, tree } of trees) {
    const lineOf = (position) => tree.getLineAndCharacterOfPosition(position).line;
    const visit = (node) => {
      if (ts.isFunctionLike(node) && node.body)
        found.push({ file, name: nameOf(ts, node), lines: lineOf(node.getEnd()) - lineOf(node.getStart()) + 1 });
      ts.forEachChild(node, visit);
    };
    visit(tree);
  }
  return found;
}

function nameOf(ts, node) {
  const named =
    node.name ??
    (node.parent && (ts.isVariableDeclaration(node.parent) || ts.isPropertyAssignment(node.parent))
      ? node.parent.name
      : undefined);
  return named?.getText() ?? 'a function without a name';
}

/** Exported name → files that declare it; re-exports are no declaration. */
export function exportedNames(ts, trees) {
  const names = new Map();
  const note = (name, file) => names.set(name, [...(names.get(name) ?? []), file]);
  for (const { file, tree } of trees) {
    const own = new Set();
    for (const statement of tree.statements) {
      if (!statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue;
      if (ts.isVariableStatement(statement))
        for (const { name } of statement.declarationList.declarations) own.add(name.getText());
      else if (statement.name) own.add(statement.name.getText());
    }
    for (const name of own) note(name, file);
  }
  return names;
}
