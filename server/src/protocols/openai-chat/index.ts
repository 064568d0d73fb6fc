// The chat completions protocol: nothing but the list of its parts.
import { fitCallIds } from '../translation/fit-call-ids.ts';
import { OPENAI_NAMES } from '../translation/fit-names.ts';
import { once } from '../../shared/once.ts';
import { marksCache, sourcesIn } from '../json/body-names.ts';
import type { Protocol, RelayRequest } from '../protocol.ts';
import { limitIn, limitOutput } from '../json/read-limit.ts';
import { serverToolsOf } from '../json/server-tools.ts';
import { namedObjects } from '../json/named-objects.ts';
import type { ClientSide, UpstreamSide } from '../text-protocol.ts';
import { errorEvent, readComplaint } from './error.ts';
import { readGeneration } from './client/read-generation.ts';
import { foreignSignaturesIn } from './foreign-signatures.ts';
import { readChatRequest } from './read-request.ts';
import { madeReader } from './read-made.ts';
import { readResult } from './upstream/read-result.ts';
import { ChatPartsReader } from './upstream/read-stream.ts';
import { readWholeAnswer } from './read-answer.ts';
import { ChatStreamReader } from './relay-stream.ts';
import { callIds, CHAT, settingPaths, toolFields } from './wire.ts';
import { writeGeneration } from './upstream/write-generation.ts';
import { writeChatRequest } from './write-request.ts';
import { writeResult } from './client/write-result.ts';
import { ChatPartsWriter } from './client/write-stream.ts';

export const openaiChat: Protocol = {
  name: CHAT,
  operation: 'chat',
  units: ['tokens', 'request'],
  answers: 'whole',
  readAnswer: readWholeAnswer,
  readComplaint,
  readLimit: limitIn('max_completion_tokens', 'max_tokens'),
  tierFields: ['service_tier'],
  errorEvent,
};

export const openaiChatClient: ClientSide = {
  name: CHAT,
  settingPaths,
  writeResult,
  writeStream: (context) => new ChatPartsWriter(context),
};

export const openaiChatUpstream: UpstreamSide = {
  name: CHAT,
  names: OPENAI_NAMES,
  protocol: openaiChat,
  writeGeneration,
  readResult: (body) => readResult(body),
  readStream: () => new ChatPartsReader(),
};

/** Throws a GatewayError that names the field. */
export function readChat(body: Buffer): RelayRequest {
  const request = readChatRequest(body);
  const signatures = foreignSignaturesIn(request.json);
  return {
    ...request,
    ...sourcesIn(body),
    write: (target) =>
      writeChatRequest(request, target, fitCallIds(request.json, callIds, signatures.changes(target.upstreamModel))),
    readStream: () => new ChatStreamReader(request.asksUsage, request.choices),
    readGeneration: () => readGeneration(body),
    serverTools: serverToolsOf(request.json, toolFields),
    made: madeReader(request.json),
    namedObjects: () => namedObjects(request.json),
    marksCache: once(() => marksCache(body)),
    fit: (most) => readChat(limitOutput(request.json, ['max_completion_tokens', 'max_tokens'], most)),
  };
}
