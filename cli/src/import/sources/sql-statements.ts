// The statements of an SQL dump, one at a time, whatever the size of the file: cut at semicolons outside of quotes.
// Comments have lines of their own in dumps.
const MARKS = /['"`;\\]/g;

export async function* readStatements(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let statement = '';
  let quote = '';
  for await (const line of lines) {
    if (statement === '' && /^\s*(?:--|#|$)/.test(line)) continue;
    let from = 0;
    MARKS.lastIndex = 0;
    for (let found = MARKS.exec(line); found !== null; found = MARKS.exec(line)) {
      const [mark] = found;
      if (mark === '\\') {
        if (quote !== '' && quote !== '`') MARKS.lastIndex++;
      } else if (mark === ';') {
        if (quote !== '') continue;
        yield statement + line.slice(from, found.index);
        statement = '';
        from = found.index + 1;
      } else if (quote === '') quote = mark;
      else if (quote === mark) quote = '';
    }
    const rest = line.slice(from);
    if (statement !== '' || rest.trim() !== '') statement += `${rest}\n`;
  }
  if (statement.trim() !== '') yield statement;
}
