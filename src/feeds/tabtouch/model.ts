// The race card in a script of the page, `var model = {…};`. Read as JSON, never executed.

const DECLARATION = 'var model';

/** Undefined if the script has no model, or one that is not JSON. */
export function embeddedModel(script: string): unknown {
  const declared = script.indexOf(DECLARATION);
  if (declared < 0) return undefined;
  const start = script.indexOf('{', declared);
  const between = script.slice(declared + DECLARATION.length, start < 0 ? undefined : start);
  if (start < 0 || between.trim() !== '=') return undefined;
  try {
    return JSON.parse(script.slice(start, endOfObject(script, start)));
  } catch {
    return undefined;
  }
}

/** The index after the brace that closes the one at `start`; braces inside strings do not count. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let i = start; i < text.length; i++) {
    const char = text[i];
    if (inString) {
      if (char === '\\') i++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{') depth++;
    else if (char === '}') {
      depth--;
      if (depth === 0) return i + 1;
    }
  }
  return text.length;
}
