// The messages protocol: nothing but the list of its parts.
import { ANTHROPIC_NAMES } from '../translation/fit-names.ts';
import { passOn } from '../json/conversation-request.ts';
import { countsOnly } from '../json/count-tokens.ts';
import { type JsonRecord, parseRecord } from '../json/json-value.ts';
import { namedObjects } from '../json/named-objects.ts';
import type { Protocol, ReadRequest, RelayRequest } from '../protocol.ts';
import { limitIn, limitOutput } from '../json/read-limit.ts';
import { serverToolsOf, toolLimitsIn } from '../json/server-tools.ts';
import type { ClientSide, UpstreamSide } from '../text-protocol.ts';
import { readGeneration } from './client/read-generation.ts';
import { writeResult } from './client/write-result.ts';
import { MessagesStreamWriter } from './client/write-stream.ts';
import { errorEvent, readComplaint } from './error.ts';
import { foreignSignaturesIn } from './foreign-signatures.ts';
import { readMessagesAnswer } from './read-answer.ts';
import { madeReader } from './read-made.ts';
import { readMessagesRequest, readUnlimited, thinkingBudget } from './read-request.ts';
import { MessagesStreamReader } from './relay-stream.ts';
import { readResult } from './upstream/read-result.ts';
import { MessagesPartsReader } from './upstream/read-stream.ts';
import { writeGeneration } from './upstream/write-generation.ts';
import { callIds, fixedFields, NAME, settingPaths, tierFields, toolFields } from './wire.ts';

export { errorType, writeError } from './error.ts';

export const anthropicMessages: Protocol = {
  name: NAME,
  operation: 'messages',
  units: ['tokens', 'request'],
  answers: 'whole',
  readAnswer: readMessagesAnswer,
  readComplaint,
  readLimit: limitIn('max_tokens'),
  readToolLimits: toolLimitsIn(toolFields),
  tierFields,
  errorEvent,
};

/** What a prompt comes to, without an answer to it. */
export const countMessages: Protocol = countsOnly(anthropicMessages, 'count-messages', 'input_tokens');

export const anthropicMessagesClient: ClientSide = {
  name: NAME,
  settingPaths,
  writeResult,
  writeStream: (context) => new MessagesStreamWriter(context),
  lacksPictures: true,
};

export const anthropicMessagesUpstream: UpstreamSide = {
  name: NAME,
  names: ANTHROPIC_NAMES,
  protocol: anthropicMessages,
  lacksEmptyTexts: true,
  writeGeneration,
  readResult,
  readStream: () => new MessagesPartsReader(),
};

/** /v1/messages/count_tokens: the same request, but nothing is generated. */
export function writeTokenCount(inputTokens: number): Buffer {
  return Buffer.from(JSON.stringify({ input_tokens: inputTokens }));
}

/** Throws a GatewayError that names the field. */
export function readMessages(body: Buffer): RelayRequest {
  return relayRequest(readMessagesRequest(body));
}

/** A request to count the tokens of a prompt: the same body, where `max_tokens` may be missing. */
export function readCountTokens(body: Buffer): RelayRequest {
  return { ...relayRequest(readUnlimited(body)), stream: false };
}

function relayRequest(request: ReadRequest): RelayRequest {
  const { json } = request;
  let parsed: JsonRecord | undefined;
  return {
    ...request,
    ...passOn(request, { fixed: fixedFields, callIds, signatures: foreignSignaturesIn(json) }),
    readStream: () => new MessagesStreamReader(),
    serverTools: serverToolsOf(json, toolFields),
    made: madeReader(json),
    namedObjects: () => namedObjects(json),
    fit: (most) => (most > thinkingBudget(json) ? readMessages(limitOutput(json, ['max_tokens'], most)) : undefined),
    readGeneration: () => readGeneration((parsed ??= parseRecord(json.bytes) ?? {})),
  };
}
