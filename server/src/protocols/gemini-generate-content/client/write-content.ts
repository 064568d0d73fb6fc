// Parts of an answer and the answer around them, as a client of this protocol reads them.
import type { Picture, ReasoningPart, ToolCallPart } from '../../../neutral/conversation.ts';
import type { TokenUsage } from '../../../neutral/usage.ts';
import { type JsonRecord, readArguments } from '../../json/json-value.ts';
import type { AnswerContext } from '../../text-protocol.ts';
import { writeSealed, writeThoughtSignature } from '../signature.ts';
import { writeUsage } from '../usage.ts';

export function writeThought({ text, signature, sealed }: Omit<ReasoningPart, 'type' | 'path'>): JsonRecord {
  const signed =
    sealed === undefined
      ? signature === undefined
        ? undefined
        : writeThoughtSignature(signature)
      : writeSealed(sealed);
  return { text, thought: true, ...(signed !== undefined && { thoughtSignature: signed }) };
}

export function writePicture({ data, mediaType }: Picture): JsonRecord {
  return { inlineData: { mimeType: mediaType, data } };
}

export function writeCall({ id, name, arguments: text, signature }: Omit<ToolCallPart, 'type' | 'path'>): JsonRecord {
  return {
    functionCall: { id, name, args: readArguments(text) },
    ...(signature !== undefined && { thoughtSignature: writeThoughtSignature(signature) }),
  };
}

export interface Candidate {
  parts: JsonRecord[];
  finishReason?: string;
  grounding?: JsonRecord | undefined;
}

export function writeResponse(
  { id, generation }: AnswerContext,
  { parts, finishReason, grounding }: Candidate,
  usage?: TokenUsage,
): JsonRecord {
  return {
    candidates: [
      {
        content: { parts, role: 'model' },
        ...(finishReason !== undefined && { finishReason }),
        index: 0,
        ...(grounding !== undefined && { groundingMetadata: grounding }),
      },
    ],
    ...(usage !== undefined && { usageMetadata: writeUsage(usage) }),
    modelVersion: generation.model,
    responseId: id,
  };
}
