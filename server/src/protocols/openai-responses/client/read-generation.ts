// A responses request in the neutral form, for upstreams of another protocol.
import {
  EFFORTS,
  type Generation,
  type ReasoningWish,
  type SettingPaths,
  type Settings,
} from '../../../neutral/generation.ts';
import { asNumber, asRecord, asText, type JsonRecord, needRecord, unknownFields } from '../../json-value.ts';
import { readInput } from './read-input.ts';
import { readFormat, readToolChoice, readTools } from './read-tools.ts';

export const responsesSettingPaths: SettingPaths = {
  maxOutputTokens: 'max_output_tokens',
  temperature: 'temperature',
  topP: 'top_p',
  toolChoice: 'tool_choice',
  parallelToolCalls: 'parallel_tool_calls',
  format: 'text.format',
  verbosity: 'text.verbosity',
  reasoning: 'reasoning',
  user: 'user',
  metadata: 'metadata',
  serviceTier: 'service_tier',
};

const KNOWN = new Set([
  ...['model', 'input', 'instructions', 'tools', 'tool_choice', 'parallel_tool_calls', 'text', 'reasoning'],
  ...['max_output_tokens', 'temperature', 'top_p', 'metadata', 'service_tier', 'safety_identifier', 'user'],
  // What they ask for is either so anyway or judged below.
  ...['stream', 'stream_options', 'store', 'include', 'truncation', 'background'],
]);
const KNOWN_REASONING = new Set(['effort', 'summary', 'generate_summary']);

export function readGeneration(body: Buffer): Generation {
  const wire = needRecord(JSON.parse(body.toString('utf8')), 'body');
  const unknown = [...unknownFields(wire, KNOWN), ...unkeptPromises(wire)];
  const instructions = asText(wire['instructions']);
  const messages = readInput(wire['input'], unknown);
  if (instructions !== undefined && instructions !== '') {
    const content = [{ type: 'text' as const, text: instructions, path: 'instructions' }];
    messages.unshift({ role: 'system', content, path: 'instructions' });
  }
  return {
    model: asText(wire['model']) ?? '',
    stream: wire['stream'] === true,
    showsUsage: true,
    messages,
    tools: readTools(wire['tools'], unknown),
    settings: readSettings(wire, unknown),
    unknown,
  };
}

/** Fields that no other protocol can fulfil, where they ask for more than the usual. */
function unkeptPromises(wire: JsonRecord): string[] {
  const include = Array.isArray(wire['include']) ? wire['include'] : [];
  return [
    ...(wire['store'] === true ? ['store'] : []),
    ...(wire['background'] === true ? ['background'] : []),
    ...(wire['truncation'] === 'auto' ? ['truncation'] : []),
    ...include.flatMap((one, index) => (one === 'reasoning.encrypted_content' ? [] : [`include[${index}]`])),
  ];
}

function readSettings(wire: JsonRecord, unknown: string[]): Settings {
  const text = asRecord(wire['text']) ?? {};
  const settings: { [K in keyof Settings]: Settings[K] | undefined } = {
    maxOutputTokens: asNumber(wire['max_output_tokens']),
    temperature: asNumber(wire['temperature']),
    topP: asNumber(wire['top_p']),
    toolChoice: readToolChoice(wire['tool_choice'], unknown),
    parallelToolCalls: typeof wire['parallel_tool_calls'] === 'boolean' ? wire['parallel_tool_calls'] : undefined,
    format: readFormat(text['format'], unknown),
    verbosity: asText(text['verbosity']),
    reasoning: readReasoningWish(wire['reasoning'], unknown),
    user: asText(wire['safety_identifier']) ?? asText(wire['user']),
    metadata: asRecord(wire['metadata']),
    serviceTier: asText(wire['service_tier']),
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

function readReasoningWish(value: unknown, unknown: string[]): ReasoningWish | undefined {
  const wire = asRecord(value);
  if (wire === undefined) return undefined;
  unknown.push(...unknownFields(wire, KNOWN_REASONING, 'reasoning.'));
  const effort = EFFORTS.find((one) => one === wire['effort']);
  if (asText(wire['effort']) !== undefined && effort === undefined) unknown.push('reasoning.effort');
  const isShown = asText(wire['summary'] ?? wire['generate_summary']) !== undefined;
  return { ...(effort !== undefined && { effort }), ...(isShown && { isShown }) };
}
