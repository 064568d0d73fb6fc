// A responses request in the neutral form, for upstreams of another protocol.
import { invalidRequest } from '../../../errors/gateway-error.ts';
import type { Message } from '../../../neutral/conversation.ts';
import type { Generation, ReasoningRequest, Settings } from '../../../neutral/generation.ts';
import { originsOf } from '../../json/drop-fields.ts';
import {
  asList,
  asText,
  type JsonRecord,
  needBody,
  optionalFlag,
  optionalNumber,
  optionalRecord,
  optionalText,
  present,
  unknownFields,
} from '../../json/json-value.ts';
import { responsesFrames } from '../../openai-shared/frames.ts';
import { askedOf, readEffort, unheardUser } from '../../openai-shared/settings.ts';
import { readOutputFormat, readToolChoice, readTools } from '../../openai-shared/tools.ts';
import { settingPaths } from '../wire.ts';
import { strictByDefault } from './strict-by-default.ts';
import { readEcho } from './echo.ts';
import { readMessages } from './read-messages.ts';

/** Fields that matter only when they are not what everybody does anyway. */
const OPTIONAL = ['store', 'background', 'top_logprobs'];
/** Without what these stand for, another question would be answered. */
const KEPT_ELSEWHERE = ['previous_response_id', 'conversation', 'prompt'];

/** Also for the OpenAPI document. */
export const knownFields: ReadonlySet<string> = new Set([
  ...Object.keys(originsOf(settingPaths)),
  'model',
  'input',
  'instructions',
  'tools',
  'safety_identifier',
  'stream',
  'stream_options',
  'include',
  'truncation',
  ...OPTIONAL,
  ...KEPT_ELSEWHERE,
]);
/** What the gateway itself keeps of responses that other protocols answer (contract-2 7). */
export interface Keeping {
  /** Answers are kept, unless the caller wants none stored. */
  keeps: boolean;
  /** The kept response that the request went on from; its conversation is in the input by now. */
  previousId?: string | undefined;
}

const NOTHING_KEPT: Keeping = { keeps: false };

export const KNOWN_REASONING = new Set(['effort', 'summary', 'generate_summary']);
export const KNOWN_TEXT = new Set(['format', 'verbosity']);

export function readGeneration(body: Buffer, keeping: Keeping = NOTHING_KEPT): Generation {
  const wire = needBody(body);
  refuseKeptElsewhere(wire);
  const isStored = keeping.keeps && wire['store'] !== false;
  const unknown = [...unknownFields(wire, knownFields), ...unkeptPromises(wire, isStored), ...unheardUser(wire)];
  return {
    model: asText(wire['model']) ?? '',
    stream: wire['stream'] === true,
    showsUsage: true,
    messages: [...readInstructions(wire['instructions']), ...readMessages(wire['input'], unknown)],
    tools: readTools(wire['tools'], responsesFrames, unknown).map(strictByDefault),
    settings: readSettings(wire, unknown),
    echo: readEcho(wire, { isStored, previousId: keeping.previousId }),
    paths: asText(wire['safety_identifier']) === undefined ? {} : { user: 'safety_identifier' },
    unknown,
  };
}

function refuseKeptElsewhere(wire: JsonRecord): void {
  const name = KEPT_ELSEWHERE.find((one) => wire[one] !== undefined && wire[one] !== null);
  if (name === undefined) return;
  throw invalidRequest(`'${name}' cannot be sent to this model's provider. Send the whole input instead.`, name);
}

function readInstructions(value: unknown): Message[] {
  const text = optionalText(value, 'instructions') ?? '';
  if (text === '') return [];
  return [{ role: 'system', content: [{ type: 'text', text, path: 'instructions' }], path: 'instructions' }];
}

/** Fields that no other protocol can fulfil, where they ask for more than the usual. */
function unkeptPromises(wire: JsonRecord, isStored: boolean): string[] {
  return [
    ...askedOf(wire, OPTIONAL).filter((name) => !(name === 'store' && isStored)),
    ...(wire['truncation'] === 'auto' ? ['truncation'] : []),
    ...asList(wire['include']).flatMap((one, index) =>
      one === 'reasoning.encrypted_content' ? [] : [`include[${index}]`],
    ),
  ];
}

function readSettings(wire: JsonRecord, unknown: string[]): Settings {
  const number = (name: string): number | undefined => optionalNumber(wire[name], name);
  const text = (name: string): string | undefined => optionalText(wire[name], name);
  const words = optionalRecord(wire['text'], 'text') ?? {};
  unknown.push(...unknownFields(words, KNOWN_TEXT, 'text.'));
  return present<Settings>({
    maxOutputTokens: number('max_output_tokens'),
    temperature: number('temperature'),
    topP: number('top_p'),
    toolChoice: readToolChoice(wire['tool_choice'], responsesFrames, unknown),
    parallelToolCalls: optionalFlag(wire['parallel_tool_calls'], 'parallel_tool_calls'),
    format: readOutputFormat(words['format'], responsesFrames, unknown),
    verbosity: optionalText(words['verbosity'], 'text.verbosity'),
    reasoning: readReasoning(wire['reasoning'], unknown),
    user: text('safety_identifier') ?? text('user'),
    metadata: optionalRecord(wire['metadata'], 'metadata'),
    serviceTier: text('service_tier'),
    cacheKey: text('prompt_cache_key'),
  });
}

function readReasoning(value: unknown, unknown: string[]): ReasoningRequest | undefined {
  const wire = optionalRecord(value, 'reasoning');
  if (wire === undefined) return undefined;
  unknown.push(...unknownFields(wire, KNOWN_REASONING, 'reasoning.'));
  const effort = readEffort(wire['effort'], 'reasoning.effort', unknown);
  const summary = optionalText(wire['summary'] ?? wire['generate_summary'], 'reasoning.summary');
  const isShown = summary !== undefined && summary !== 'none';
  return { ...(effort !== undefined && { effort }), ...(isShown && { isShown }) };
}
