// The import graph of `src`: files, rooms (folders that contain files), arrows between rooms, and circles of rooms.
import { dirname, posix } from 'node:path';

/** File → own files that it imports or re-exports. `sources`: the result of `readSources`. */
export function graphOf(sources) {
  const files = new Set(sources.map(({ file }) => file));
  return new Map(sources.map(({ file, imports }) => [file, ownFiles(file, imports, files)]));
}

function ownFiles(file, imports, files) {
  const found = imports
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => {
      const path = posix.join(dirname(file), specifier);
      return [`${path}.ts`, `${path}/index.ts`].find((each) => files.has(each));
    });
  return [...new Set(found.filter(Boolean))];
}

export const roomOf = (file) => dirname(file);

/** Room → rooms from which its files import, except itself. */
export function arrowsOf(graph) {
  const arrows = new Map();
  for (const [file, imports] of graph) {
    const from = roomOf(file);
    const targets = arrows.get(from) ?? new Set();
    for (const to of imports.map(roomOf)) if (to !== from) targets.add(to);
    arrows.set(from, targets);
  }
  return arrows;
}

/** The part below `folder`, with the imports inside it. */
export const graphBelow = (graph, folder) =>
  new Map(
    [...graph]
      .filter(([file]) => file.startsWith(folder))
      .map(([file, imports]) => [file, imports.filter((to) => to.startsWith(folder))]),
  );

/** Groups of rooms in which each room reaches every other along arrows (Tarjan). */
export function circlesOf(arrows) {
  const index = new Map();
  const low = new Map();
  const stack = [];
  const circles = [];
  const visit = (room) => {
    index.set(room, index.size);
    low.set(room, index.get(room));
    stack.push(room);
    for (const to of arrows.get(room) ?? []) {
      if (!index.has(to)) visit(to);
      if (stack.includes(to)) low.set(room, Math.min(low.get(room), low.get(to)));
    }
    if (low.get(room) !== index.get(room)) return;
    const circle = stack.splice(stack.indexOf(room));
    if (circle.length > 1) circles.push(circle);
  };
  for (const room of arrows.keys()) if (!index.has(room)) visit(room);
  return circles;
}
