// The turns of a conversation: who may speak, what a part must be, and that calls and their results match.
import type { WireObject } from '../../fields/refuse.ts';
import { Refusal } from '../../refusal.ts';
import { partData } from '../wire/messages.ts';
import { refuseArgument } from '../wire/violations.ts';

export type Content = { role: 'user' | 'model'; parts: WireObject[] };

type Given = { role?: string; parts?: WireObject[] };

const signatureDocs = 'https://ai.google.dev/gemini-api/docs/thought-signatures';

export function checkContents(given: unknown, model: string): Content[] {
  const contents = (given ?? []) as Given[];
  const request = '* GenerateContentRequest.contents';
  if (contents.length === 0) refuseArgument(`${request}: contents is not specified\n`);
  const turns = contents.map(({ role = '', parts = [] }, index): Content => {
    if (role !== '' && role !== 'user' && role !== 'model') refuseArgument('Please use a valid role: user, model.');
    checkParts(parts, `${request}[${index}].parts`);
    return { role: role === 'model' ? 'model' : 'user', parts };
  });
  if (turns.length === 1 && turns[0]?.role === 'model') {
    refuseArgument('Please ensure that single turn requests end with a user role or the role field is empty.');
  }
  checkCallTurns(turns);
  if (model.startsWith('gemini-3')) checkSignatures(turns);
  return turns;
}

export function checkParts(parts: readonly WireObject[], at: string): void {
  if (parts.length === 0) refuseArgument(`${at}: contents.parts must not be empty.\n`);
  for (const [index, part] of parts.entries()) {
    const data = partData.find((name) => part[name] !== undefined);
    if (data === undefined) {
      refuseArgument(`${at}[${index}].data: required oneof field 'data' must have one initialized field\n`);
    }
    const inner = part[data] as WireObject;
    const path = `${at}[${index}].${data.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
    if ((data === 'functionCall' || data === 'functionResponse') && (inner['name'] ?? '') === '') {
      refuseArgument(`${path}.name: Name cannot be empty.\n`);
    }
    if (data === 'inlineData' && (inner['mimeType'] ?? '') === '') refuseArgument(`Unsupported MIME type: ${path}`);
    if (data === 'fileData' && (inner['fileUri'] ?? '') === '') refuseArgument(`${path}.file_uri: must not be empty\n`);
  }
}

function checkCallTurns(turns: readonly Content[]): void {
  const count = (turn: Content | undefined, name: string): number =>
    turn?.parts.filter((part) => part[name] !== undefined).length ?? 0;
  for (const [index, turn] of turns.entries()) {
    const calls = count(turn, 'functionCall');
    const [previous, next] = [turns[index - 1], turns[index + 1]];
    if (calls > 0 && previous?.role !== 'user') {
      refuseArgument(
        'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
      );
    }
    if (count(turn, 'functionResponse') > 0 && count(previous, 'functionCall') === 0) {
      refuseArgument('Please ensure that function response turn comes immediately after a function call turn.');
    }
    if (calls > 0 && next !== undefined && count(next, 'functionResponse') !== calls) {
      refuseArgument(
        'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
      );
    }
  }
}

/** The third generation insists: the first call of every step since the user last spoke carries its signature. */
function checkSignatures(turns: readonly Content[]): void {
  const spoken = turns.findLastIndex(
    ({ role, parts }) => role === 'user' && parts.some((part) => part['text'] !== undefined),
  );
  for (const [index, { parts }] of turns.entries()) {
    const first = parts.find((part) => part['functionCall'] !== undefined);
    if (index < spoken || first === undefined || first['thoughtSignature'] !== undefined) continue;
    const { name } = first['functionCall'] as WireObject;
    const missing = 'Function call is missing a thought_signature in functionCall parts.';
    const where = `Additional data, function call \`default_api:${String(name)}\`, position ${index + 1}.`;
    const message = `${missing} This is required for tools to work correctly. Please refer to ${signatureDocs} for more details. ${where}`;
    throw new Refusal({ status: 400, message });
  }
}
