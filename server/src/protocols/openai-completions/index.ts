// The completions protocol. Its answers and streams have the frame of chat ones (choices, usage, end marker), so those are
// read by the same parts.
import { OPENAI_NAMES } from '../translation/fit-names.ts';
import { errorEvent, readComplaint } from '../openai-chat/error.ts';
import { readWholeAnswer } from '../openai-chat/read-answer.ts';
import { ChatStreamReader } from '../openai-chat/relay-stream.ts';
import { completionSettingPaths } from '../openai-chat/wire.ts';
import { readResult } from '../openai-chat/upstream/read-result.ts';
import { ChatPartsReader } from '../openai-chat/upstream/read-stream.ts';
import { writeChatRequest } from '../openai-chat/write-request.ts';
import type { Protocol, RelayRequest } from '../protocol.ts';
import { limitIn, limitOutput } from '../json/read-limit.ts';
import type { ClientSide, UpstreamSide } from '../text-protocol.ts';
import { readGeneration } from './client/read-generation.ts';
import { writeResult } from './client/write-result.ts';
import { CompletionPartsWriter } from './client/write-stream.ts';
import { readCompletionRequest } from './read-request.ts';
import { writeGeneration } from './upstream/write-generation.ts';
import { COMPLETIONS, fixedFields } from './wire.ts';

export const openaiCompletions: Protocol = {
  name: COMPLETIONS,
  operation: 'completions',
  units: ['tokens', 'request'],
  answers: 'whole',
  readAnswer: readWholeAnswer,
  readComplaint,
  readLimit: limitIn('max_completion_tokens', 'max_tokens'),
  tierFields: ['service_tier'],
  errorEvent,
};

export const openaiCompletionsClient: ClientSide = {
  name: COMPLETIONS,
  settingPaths: completionSettingPaths,
  writeResult,
  writeStream: (context) => new CompletionPartsWriter(context),
  lacksPictures: true,
};

export const openaiCompletionsUpstream: UpstreamSide = {
  name: COMPLETIONS,
  names: OPENAI_NAMES,
  protocol: openaiCompletions,
  writeGeneration,
  readResult: (body) => readResult(body, ({ text }) => (typeof text === 'string' ? { content: text } : undefined)),
  readStream: () => new ChatPartsReader((choice) => ({ content: choice['text'] })),
};

/** Throws a GatewayError that names the field. */
export function readCompletion(body: Buffer): RelayRequest {
  const request = readCompletionRequest(body);
  return {
    ...request,
    write: (target) =>
      writeChatRequest(request, {
        ...target,
        dropFields: target.dropFields.filter((name) => !fixedFields.has(name)),
      }),
    fit: (most) => readCompletion(limitOutput(request.json, ['max_completion_tokens', 'max_tokens'], most)),
    readStream: () => new ChatStreamReader(request.asksUsage, request.answers),
    readGeneration: () => readGeneration(body),
  };
}
