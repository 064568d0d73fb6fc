// The messages protocol: nothing but the list of its parts.
import { fitCallIds } from '../translation/fit-call-ids.ts';
import { ANTHROPIC_NAMES } from '../translation/fit-names.ts';
import { once } from '../../shared/once.ts';
import { marksCache, mayNameSource, namesSource } from '../json/body-names.ts';
import { limitOutput } from '../json/limit-output.ts';
import { type JsonRecord, parseRecord } from '../json/json-value.ts';
import { namedObjects } from '../json/named-objects.ts';
import type { Protocol, ReadRequest, RelayRequest } from '../protocol.ts';
import { limitIn } from '../json/read-limit.ts';
import { serverToolsOf, toolLimitsIn } from '../json/server-tools.ts';
import type { ClientSide, UpstreamSide } from '../text-protocol.ts';
import { writeJson } from '../json/write-json.ts';
import { readGeneration } from './client/read-generation.ts';
import { writeResult } from './client/write-result.ts';
import { MessagesStreamWriter } from './client/write-stream.ts';
import { readTokenCount } from './count-tokens.ts';
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

export { writeTokenCount } from './count-tokens.ts';
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
export const countMessages: Protocol = {
  ...anthropicMessages,
  operation: 'count-messages',
  readAnswer: (body) =>
    readTokenCount(body) === undefined ? undefined : { usage: undefined, hasError: false, outputBytes: 0 },
};

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

/** Throws a GatewayError that names the field. */
export function readMessages(body: Buffer): RelayRequest {
  return relayRequest(readMessagesRequest(body));
}

/** A request to count the tokens of a prompt: the same body, where `max_tokens` may be missing. */
export function readCountTokens(body: Buffer): RelayRequest {
  return { ...relayRequest(readUnlimited(body)), stream: false };
}

function relayRequest(request: ReadRequest): RelayRequest {
  const { json, model } = request;
  const signatures = foreignSignaturesIn(json);
  let parsed: JsonRecord | undefined;
  return {
    ...request,
    write: (target) =>
      writeJson(
        {
          json,
          model,
          fixed: fixedFields,
          changes: fitCallIds(json, callIds, signatures.changes(target.upstreamModel)),
        },
        target,
      ),
    readStream: () => new MessagesStreamReader(),
    namesSource: () => namesSource(json.bytes),
    mayNameSource: once(() => mayNameSource(json.bytes)),
    serverTools: serverToolsOf(json, toolFields),
    made: madeReader(json),
    namedObjects: () => namedObjects(json),
    marksCache: once(() => marksCache(json.bytes)),
    fit: (most) => (most > thinkingBudget(json) ? readMessages(limitOutput(json, ['max_tokens'], most)) : undefined),
    readGeneration: () => readGeneration((parsed ??= parseRecord(json.bytes) ?? {})),
  };
}
