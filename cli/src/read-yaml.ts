// YAML, which JSON is too. A slip in it is named with its line.
import { LineCounter, parseDocument } from 'yaml';
import { Refused } from './refused.ts';

export function readYaml(
  path: string,
  text: string,
): { document: ReturnType<typeof parseDocument>; lines: LineCounter } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false }); // else the sentence has the line again
  const [problem] = document.errors;
  if (problem !== undefined)
    throw new Refused(`${path}:${lines.linePos(problem.pos[0]).line}: ${problem.message.replace(/[.:]?$/, '.')}`);
  return { document, lines };
}
