// Rows of an INSERT statement as MySQL writes it.
const ESCAPES: Record<string, string> = { '0': '\0', b: '\b', n: '\n', r: '\r', t: '\t', Z: '\u001a' };

/** One value, and what follows it: a comma, or the closing bracket of its row. */
const VALUE =
  /\s*(?:(?:_\w+\s*)?'((?:[^'\\]|\\[^]|'')*)'|(?:_\w+\s*)?"((?:[^"\\]|\\[^]|"")*)"|([^\s,()'"]+))\s*([,)])/gy;
const NEXT_ROW = /\s*,?\s*\(/gy;

/** Everything after VALUES. Numbers stay text. */
export function* readValues(text: string): Generator<(string | null)[]> {
  let at = 0;
  for (;;) {
    NEXT_ROW.lastIndex = at;
    if (NEXT_ROW.exec(text) === null) return;
    at = NEXT_ROW.lastIndex;
    const row: (string | null)[] = [];
    for (let end = ','; end === ',';) {
      VALUE.lastIndex = at;
      const found = VALUE.exec(text);
      if (found === null) return;
      at = VALUE.lastIndex;
      end = found[4] ?? ')';
      row.push(read(found));
    }
    yield row;
  }
}

function read([, single, double, bare]: RegExpExecArray): string | null {
  if (bare !== undefined) return bare.toUpperCase() === 'NULL' ? null : bare;
  const quote = single === undefined ? '"' : "'";
  return (single ?? double ?? '')
    .replaceAll(quote + quote, quote)
    .replaceAll(/\\([^])/g, (_, character: string) => ESCAPES[character] ?? character);
}
