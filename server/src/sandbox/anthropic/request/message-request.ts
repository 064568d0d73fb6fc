// Reads the body of a request: strict about every field, as the real service is, and about those it does not know.
// https://docs.claude.com/en/api/messages
import { isObject, type WireObject } from '../../fields/refuse.ts';
import type { Call } from '../../protocol.ts';
import { Refusal } from '../../refusal.ts';
import {
  anything,
  dictionary,
  flag,
  integer,
  list,
  nullable,
  number,
  oneOf,
  refuseAt,
  shape,
  text,
  textUpTo,
} from '../checks.ts';
import { cacheControl, systemBlocks, thinking as thinkingShape } from './content-blocks.ts';
import { checkMessages, checkSystem, readSystem } from './messages.ts';
import type { Turn } from './turn.ts';
import { outputConfig, outputFormat, readAnswerSchema } from './output-format.ts';
import { readThinking, type Thinking } from './thinking.ts';
import { checkTools, type Tools } from './tools.ts';

export type CountRequest = Tools & {
  model: string;
  turns: Turn[];
  system: string | undefined;
  thinking: Thinking | undefined;
  answerSchema: WireObject | undefined;
  /** How long what is written into the cache stays there. */
  cacheTtl: '5m' | '1h';
};

export type MessageRequest = CountRequest & {
  maxTokens: number;
  stream: boolean;
  stop: string[];
  isFast: boolean;
};

const bodyLimit = 32 * 1024 * 1024;
const cacheBreakpoints = 4;
const versions = ['2023-01-01', '2023-06-01', '2026-10-21'];

const required = { model: text, messages: anything };
const shared = {
  system: systemBlocks,
  tools: anything,
  tool_choice: anything,
  thinking: thinkingShape,
  output_config: outputConfig,
  output_format: outputFormat,
  cache_control: cacheControl,
  user_profile_id: text,
};
const creating = {
  metadata: shape({}, { user_id: nullable(textUpTo(256)) }),
  stop_sequences: list(text),
  stream: flag,
  temperature: number({ least: 0, most: 1 }),
  top_p: number({ least: 0, most: 1 }),
  top_k: integer({ least: 0 }),
  service_tier: oneOf('auto', 'standard_only'),
  container: nullable(anything),
  inference_geo: nullable(text),
};
/** Known only where the header `anthropic-beta` opens something. */
const beta = {
  betas: list(text),
  context_management: nullable(dictionary),
  mcp_servers: list(dictionary),
  speed: nullable(text),
};

export function readMessageRequest(call: Call): MessageRequest {
  const { exchange } = call;
  const optional = { ...shared, ...creating, ...readBeta(call) };
  shape({ ...required, max_tokens: integer({ least: 1 }) }, optional)(call.body, '');
  if (exchange.record.bodyBytes > bodyLimit) throw new Refusal({ status: 413 });
  const body = call.body as WireObject;
  const stop = (body['stop_sequences'] ?? []) as string[];
  if (stop.some((sequence) => sequence.trim() === '')) {
    refuseAt('stop_sequences', 'each stop sequence must contain non-whitespace');
  }
  const isFast = body['speed'] === 'fast';
  const shown = readShared(body, versionOf(call));
  return { ...shown, maxTokens: Number(body['max_tokens']), stream: body['stream'] === true, stop, isFast };
}

export function readCountRequest(call: Call): CountRequest {
  shape(required, { ...shared, ...readBeta(call) })(call.body, '');
  return readShared(call.body as WireObject, versionOf(call));
}

export function checkVersion({ exchange: { request } }: Call): void {
  const version = request.headers['anthropic-version'];
  if (version === undefined) refuseAt('anthropic-version', 'header is required');
  if (!versions.includes(String(version))) {
    refuseAt('anthropic-version', `"${String(version).slice(0, 100)}" is not a valid version`);
  }
}

function readBeta({ exchange: { request } }: Call): object {
  return request.headers['anthropic-beta'] === undefined ? {} : beta;
}

function versionOf({ exchange: { request } }: Call): string {
  return String(request.headers['anthropic-version'] ?? '');
}

function readShared(body: WireObject, version: string): CountRequest {
  const { turns, instructions } = checkMessages(body['messages'], version);
  checkSystem(body['system']);
  const breakpoints = findBreakpoints(body);
  if (breakpoints.length > cacheBreakpoints) {
    const message = `A maximum of ${cacheBreakpoints} blocks with cache_control may be provided. Found ${breakpoints.length}.`;
    throw new Refusal({ status: 400, message });
  }
  return {
    model: String(body['model']),
    turns,
    system: joinSystem(readSystem(body['system']), instructions),
    ...checkTools(body['tools'], body['tool_choice']),
    thinking: readThinking(body, turns),
    answerSchema: readAnswerSchema(body),
    cacheTtl: breakpoints.some(({ ttl }) => ttl === '1h') ? '1h' : '5m',
  };
}

function joinSystem(first: string | undefined, later: readonly string[]): string | undefined {
  const all = [...(first === undefined ? [] : [first]), ...later];
  return all.length === 0 ? undefined : all.join('\n');
}

/** Every `cache_control` of the tools, the system prompt and the messages; what a tool takes or gives is not searched. */
function findBreakpoints(body: WireObject): WireObject[] {
  const messages = body['messages'] as WireObject[];
  const blocks = [body['tools'], body['system'], ...messages.map(({ content }) => content)].flatMap((one): unknown[] =>
    Array.isArray(one) ? one : [],
  );
  return [body, ...blocks].flatMap((block) => {
    const found = isObject(block) ? block['cache_control'] : undefined;
    return isObject(found) ? [found] : [];
  });
}
