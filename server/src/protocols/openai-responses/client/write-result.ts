// A neutral result as a whole response.
import type { GenerationResult } from '../../../neutral/generation.ts';
import type { AnswerContext } from '../../text-protocol.ts';
import { writeIncompleteReason } from '../finish-reason.ts';
import { writeItems, writeResponse } from './write-content.ts';

export function writeResult({ content, finish, usage }: GenerationResult, context: AnswerContext): Buffer {
  const output = content.flatMap((part, index) => writeItems(part, `${context.id}${index}`));
  const saysRefusal = content.some((part) => part.type === 'refusal');
  const incomplete = writeIncompleteReason(finish.reason, saysRefusal);
  const status = incomplete === null ? 'completed' : 'incomplete';
  return Buffer.from(JSON.stringify(writeResponse(context, { status, output, incomplete, usage })));
}
