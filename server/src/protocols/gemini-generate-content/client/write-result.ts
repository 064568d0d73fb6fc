// A neutral result as a generate-content answer.
import type { GenerationResult, OutputPart } from '../../../neutral/generation.ts';
import type { JsonRecord } from '../../json/json-value.ts';
import type { AnswerContext } from '../../text-protocol.ts';
import { writeGrounding } from '../citations.ts';
import { writeFinishReason } from '../finish-reason.ts';
import { writeCall, writePicture, writeResponse, writeThought } from './write-content.ts';

export function writeResult({ content, finish, usage }: GenerationResult, context: AnswerContext): Buffer {
  const cited = content.flatMap((part, partIndex) =>
    part.type === 'text' && part.citations !== undefined
      ? [{ text: part.text, citations: part.citations, partIndex }]
      : [],
  );
  const parts = content.map(writePart);
  const answer = writeResponse(
    context,
    {
      parts: parts.length === 0 ? [{ text: '' }] : parts,
      finishReason: writeFinishReason(finish.reason),
      grounding: writeGrounding(cited),
    },
    usage,
  );
  return Buffer.from(JSON.stringify(answer));
}

function writePart(part: OutputPart): JsonRecord {
  if (part.type === 'reasoning') return writeThought(part);
  if (part.type === 'picture') return writePicture(part);
  return part.type === 'tool-call' ? writeCall(part) : { text: part.text };
}
