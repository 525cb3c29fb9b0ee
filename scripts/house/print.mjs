// The table of `npm run house`.

const WORDIEST = 12;
const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

export function printMeasures(measures) {
  const { rooms, apiRooms, foldersOfOperations: folders, functions, lines, words } = measures;
  const lengths = functions.map((each) => each.lines).sort((a, b) => a - b);
  const rows = [
    ['rooms of src, arrows between them', `${rooms.count}, ${rooms.arrows}`],
    ['rooms of src in circles', rooms.inCircles.length],
    ['rooms of src/api, arrows between them', `${apiRooms.count}, ${apiRooms.arrows}`],
    ['rooms of src/api in circles', apiRooms.inCircles.length],
    [
      `folders of src/api behind an operation (${folders.length}): median, 90th percentile, most`,
      `${at(folders, 0.5)}, ${at(folders, 0.9)}, ${folders.at(-1)}`,
    ],
    [
      `lines of a function (${lengths.length}): median, 90th percentile, most`,
      `${at(lengths, 0.5)}, ${at(lengths, 0.9)}, ${lengths.at(-1)}`,
    ],
    ['functions of more than 60 lines', measures.longFunctions.length],
    ['files in test of more than 400 lines', measures.longTestFiles.length],
    ['exported names that several files declare', measures.homonyms.size],
    ...Object.entries(lines).map(([folder, count]) => [`lines of ${folder}`, count]),
    ['words of all documents', words.reduce((sum, each) => sum + each.words, 0)],
    ...words
      .toSorted((a, b) => b.words - a.words)
      .slice(0, WORDIEST)
      .map(({ file, words: count }) => [`words of ${file}`, count]),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  for (const [name, value] of rows) console.log(`${name.padEnd(width)}  ${value}`);
}
