// The generate-content protocol: nothing but the list of its parts.
import { GEMINI_NAMES } from '../translation/fit-names.ts';
import { sourcesIn } from '../json/body-names.ts';
import { countsOnly } from '../json/count-tokens.ts';
import { type JsonRecord, parseRecord } from '../json/json-value.ts';
import { namedObjects } from '../json/named-objects.ts';
import type { Protocol, RelayRequest } from '../protocol.ts';
import { limitIn } from '../json/read-limit.ts';
import { BytesReader } from '../stream/relay-bytes.ts';
import { serverToolsOf } from '../json/server-tools.ts';
import type { ClientSide, UpstreamSide } from '../text-protocol.ts';
import { readGeneration } from './client/read-generation.ts';
import { writeResult } from './client/write-result.ts';
import { ContentStreamWriter } from './client/write-stream.ts';
import { readCountRequest } from './count-tokens.ts';
import { errorEvent, readComplaint } from './error.ts';
import { type ContentFraming, frameStream } from './framing.ts';
import { readContentAnswer } from './read-answer.ts';
import { limitContentOutput, readContentRequest, writeContentRequest } from './read-request.ts';
import { ContentStreamReader } from './relay-stream.ts';
import { readResult } from './upstream/read-result.ts';
import { ContentPartsReader } from './upstream/read-stream.ts';
import { writeGeneration } from './upstream/write-generation.ts';
import { toolFields } from './server-tools.ts';
import { NAME, settingPaths } from './wire.ts';

export { writeTokenCount } from './count-tokens.ts';
export { statusWord, writeError } from './error.ts';
export type { ContentFraming } from './framing.ts';
export { modelResource } from './wire.ts';

/** In both spellings, since upstreams take both. */
const LIMITS = ['generationConfig', 'generation_config'].flatMap((config) => [
  `${config}.maxOutputTokens`,
  `${config}.max_output_tokens`,
]);

export const geminiGenerateContent: Protocol = {
  name: NAME,
  operation: 'generate-content',
  units: ['tokens', 'request'],
  answers: 'whole',
  readAnswer: readContentAnswer,
  readComplaint,
  readLimit: limitIn(...LIMITS),
  tierFields: ['serviceTier', 'service_tier'],
  errorEvent,
};

/** What a prompt comes to, without an answer to it. */
export const countContent: Protocol = countsOnly(geminiGenerateContent, 'count-content', 'totalTokens');

export const geminiClient: ClientSide = {
  name: NAME,
  settingPaths,
  writeResult,
  writeStream: (context) => new ContentStreamWriter(context),
};

export const geminiUpstream: UpstreamSide = {
  name: NAME,
  names: GEMINI_NAMES,
  protocol: geminiGenerateContent,
  lacksEmptyTexts: true,
  writeGeneration,
  readResult,
  readStream: () => new ContentPartsReader(),
};

/** What stands in the path and the query of a request. */
export interface ContentRoute {
  model: string;
  stream: boolean;
  /** `events` with `alt=sse`, else an array. */
  framing: ContentFraming;
}

/** Throws a GatewayError that names the field. */
export function readGenerateContent(body: Buffer, route: ContentRoute): RelayRequest {
  const { model, stream, framing } = route;
  const { json, signatures, ...request } = readContentRequest(body, model);
  const frame = stream ? frameStream(framing) : undefined;
  return {
    ...request,
    model,
    stream,
    ...(frame !== undefined && { framing: frame }),
    write: (target) => writeContentRequest({ json, signatures }, target),
    ...sourcesIn(body),
    serverTools: serverToolsOf(json, toolFields),
    namedObjects: () => namedObjects(json),
    fit: (most) => readGenerateContent(limitContentOutput(json, most), route),
    readStream() {
      const reader = new ContentStreamReader();
      return frame?.wrap?.(reader) ?? reader;
    },
    readGeneration: readOnce(body, { model, stream }),
  };
}

/** A request to count the tokens of a prompt. */
export function readCountTokens(body: Buffer, model: string): RelayRequest {
  const { json, signatures: __, prompt, ...request } = readCountRequest(body, model);
  return {
    ...request,
    model,
    stream: false,
    readStream: () => new BytesReader(),
    namedObjects: () => namedObjects(json),
    readGeneration: readOnce(prompt, { model, stream: false }),
  };
}

function readOnce(body: Buffer, route: Omit<ContentRoute, 'framing'>): NonNullable<RelayRequest['readGeneration']> {
  let parsed: JsonRecord | undefined;
  return () => readGeneration((parsed ??= parseRecord(body) ?? {}), route);
}
