// The figures of the house, from the sources and the documents.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { arrowsOf, circlesOf, graphBelow, graphOf, roomOf } from './graph.mjs';
import { LONGEST_FUNCTION, LONGEST_TEST_FILE } from './rules.mjs';
import { readSources } from './sources.mjs';
import { wideLinesOf } from './wide-lines.mjs';

/** The file that lists every operation. */
const OPERATIONS = 'api/operations/index.ts';
/** Imports of an operation's file that count as its own: presenters and services, not schemas and examples. */
const PART_OF_OPERATION = /^api\/(operations\/.*\/|wire\/(present-|aged-))(?!.*(schema|examples?)\.ts$)/;

/** `root`: the folder of the checkout. */
export function measure(root) {
  const sources = readSources(join(root, 'src'));
  const tests = readSources(join(root, 'test'));
  const clients = readSources(join(root, 'clients')).filter(({ file }) => !file.includes('/generated/'));
  const graph = graphOf(sources);
  const functions = [...sources, ...clients.map((one) => ({ ...one, file: `../clients/${one.file}` }))].flatMap(
    ({ file, functions: own }) => own.map((each) => ({ file, ...each })),
  );
  return {
    rooms: roomsOf(graph),
    apiRooms: roomsOf(graphBelow(graph, 'api/')),
    foldersOfOperations: foldersOfOperations(graph),
    functions,
    longFunctions: functions.filter(({ lines }) => lines > LONGEST_FUNCTION),
    longTestFiles: tests.filter(({ lines }) => lines > LONGEST_TEST_FILE),
    homonyms: homonymsOf(sources),
    lonelyFiles: lonelyFilesOf(sources),
    lines: { src: linesOf(sources), test: linesOf(tests), bench: linesOf(readSources(join(root, 'bench'))) },
    words: wordsOf(root),
    wideLines: wideLinesOf(root),
  };
}

function roomsOf(graph) {
  const arrows = arrowsOf(graph);
  return {
    count: arrows.size,
    arrows: [...arrows.values()].reduce((sum, { size }) => sum + size, 0),
    inCircles: circlesOf(arrows).flat(),
  };
}

/**
 * For each operation with its presenters and services: the folders of `src/api` that contain them and what they import.
 */
const foldersOfOperations = (graph) =>
  graph
    .get(OPERATIONS)
    .filter((file) => file.startsWith('api/operations/'))
    .map((file) => {
      const own = [file, ...graph.get(file).filter((each) => PART_OF_OPERATION.test(each))];
      const used = own.flatMap((each) => [each, ...graph.get(each)]).filter((each) => each.startsWith('api/'));
      return new Set(used.map(roomOf)).size;
    })
    .sort((a, b) => a - b);

/** Exported name → the files that declare it, if there are several. */
function homonymsOf(sources) {
  const files = new Map();
  for (const { file, exported } of sources)
    for (const name of exported) files.set(name, [...(files.get(name) ?? []), file]);
  return new Map([...files].filter(([, all]) => all.length > 1));
}

/** Folders with one file and no subfolder. */
function lonelyFilesOf(sources) {
  const inside = new Map();
  for (const { file } of sources) {
    const parts = file.split('/');
    for (let depth = 1; depth < parts.length; depth += 1) {
      const folder = parts.slice(0, depth).join('/');
      inside.set(folder, (inside.get(folder) ?? new Set()).add(parts[depth]));
    }
  }
  return [...inside].filter(([, names]) => names.size === 1).map(([folder]) => folder);
}

const linesOf = (sources) => sources.reduce((sum, { lines }) => sum + lines, 0);

function wordsOf(root) {
  const documents = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.md'),
  );
  return ['README.md', 'CONTRIBUTING.md', ...documents.map((file) => join('docs', file))].map((file) => ({
    file,
    words: readFileSync(join(root, file), 'utf8').split(/\s+/).filter(Boolean).length,
  }));
}
