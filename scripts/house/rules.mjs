// The rules of the sources, and the exceptions for older code: a list that only gets shorter.

/** Lines. */
export const LONGEST_FUNCTION = 60;
/** Lines of a file in test/. */
export const LONGEST_TEST_FILE = 400;
/** Words of a page in docs/. */
const LONGEST_PAGE = 4000;

/** The content of exceptions.json if every current fault were an exception. */
export const exceptionsOf = ({ longFunctions, longTestFiles, homonyms, lonelyFiles, apiRooms, words }) => ({
  longFunctions: sorted(longFunctions.map(({ file, name, lines }) => [`${file} ${name}`, lines])),
  longTestFiles: sorted(longTestFiles.map(({ file, lines }) => [file, lines])),
  homonyms: sorted([...homonyms].map(([name, files]) => [name, files.length])),
  longPages: sorted(
    words
      .filter(({ file, words: count }) => file.startsWith('docs/') && count > LONGEST_PAGE)
      .map(({ file, words: count }) => [file, count]),
  ),
  foldersWithOneFile: [...lonelyFiles].sort(),
  apiRoomsInCircles: apiRooms.inCircles.length,
});

const sorted = (entries) => Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));

/** One line per fault. `allowed`: exceptions.json. */
export function faultsOf(measures, allowed) {
  const now = exceptionsOf(measures);
  return [
    ...compare(
      now.longFunctions,
      allowed.longFunctions,
      (what, lines, most) => `src/${what}: ${lines} lines, at most ${most ?? LONGEST_FUNCTION}`,
    ),
    ...compare(
      now.longTestFiles,
      allowed.longTestFiles,
      (file, lines, most) => `test/${file}: ${lines} lines, at most ${most ?? LONGEST_TEST_FILE}`,
    ),
    ...compare(
      now.homonyms,
      allowed.homonyms,
      (name, count, most) =>
        `${name} is exported by ${count} files, at most ${most ?? 1}: ${measures.homonyms.get(name)?.join(', ')}`,
    ),
    ...compare(
      now.longPages,
      allowed.longPages,
      (page, count, most) => `${page}: ${count} words, at most ${most ?? LONGEST_PAGE}`,
    ),
    ...measures.wideLines.map((line) => `${line}: a comment or prose of more than 120 characters`),
    ...now.foldersWithOneFile
      .filter((folder) => !allowed.foldersWithOneFile.includes(folder))
      .map((folder) => `src/${folder} has one file: put it into the folder above`),
    ...allowed.foldersWithOneFile
      .filter((folder) => !now.foldersWithOneFile.includes(folder))
      .map((folder) => `src/${folder} ${OVER}`),
    ...(now.apiRoomsInCircles > allowed.apiRoomsInCircles
      ? [`${now.apiRoomsInCircles} rooms of src/api stand in circles, at most ${allowed.apiRoomsInCircles}`]
      : []),
    ...(now.apiRoomsInCircles < allowed.apiRoomsInCircles ? [`the circles of rooms in src/api ${OVER}`] : []),
  ];
}

const OVER = 'needs less of an exception now: npm run house -- --shrink';

function* compare(now, allowed, fault) {
  for (const [what, count] of Object.entries(now))
    if (count > (allowed[what] ?? 0)) yield fault(what, count, allowed[what]);
  for (const [what, count] of Object.entries(allowed)) if ((now[what] ?? 0) < count) yield `${what} ${OVER}`;
}

/** The exceptions as they are now: no new exception, and no larger one. */
export function shrunk(measures, allowed) {
  const now = exceptionsOf(measures);
  const least = (key) =>
    Object.fromEntries(
      Object.entries(allowed[key])
        .filter(([what]) => what in now[key])
        .map(([what, count]) => [what, Math.min(count, now[key][what])]),
    );
  return {
    longFunctions: least('longFunctions'),
    longTestFiles: least('longTestFiles'),
    homonyms: least('homonyms'),
    longPages: least('longPages'),
    foldersWithOneFile: allowed.foldersWithOneFile.filter((folder) => now.foldersWithOneFile.includes(folder)),
    apiRoomsInCircles: Math.min(allowed.apiRoomsInCircles, now.apiRoomsInCircles),
  };
}
