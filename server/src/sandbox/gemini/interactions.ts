// POST /v1beta/interactions, GET and DELETE of one, POST .../cancel: steps instead of candidates, kept by id.
// https://ai.google.dev/api/interactions-api
import { createHash } from 'node:crypto';
import { checkBody } from '../fields/check-fields.ts';
import { isObject, type WireObject } from '../fields/refuse.ts';
import { type StreamEvent, sendStream } from '../http/send-stream.ts';
import { sendWhole } from '../http/send-whole.ts';
import type { Call, Endpoint } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import { type Answer, composeAnswer } from '../text/compose-answer.ts';
import { countPrompt, type CountedTurn } from '../text/count-prompt.ts';
import { spoilUsage } from '../text/spoil-usage.ts';
import { makeError } from './error.ts';

type Stored = {
  key: string;
  interaction: WireObject;
  turns: CountedTurn[];
  isBackground: boolean;
  doneAt: number;
  isCancelled: boolean;
};
type Memory = Map<string, Stored>;

const backgroundMs = 1000;
const statuses: Readonly<Record<Answer['ending'], string>> = {
  end: 'completed',
  'stop-sequence': 'completed',
  refusal: 'completed',
  length: 'incomplete',
  calls: 'requires_action',
  'malformed-call': 'failed',
  error: 'failed',
};
const most = 1000;
const fields: ReadonlySet<string> = new Set(
  'model agent input system_instruction previous_interaction_id stream background store tools generation_config agent_config response_format response_mime_type response_modalities safety_settings service_tier cached_content environment labels webhook_config'.split(
    ' ',
  ),
);

export function createInteractionEndpoints(): Endpoint[] {
  const memory: Memory = new Map();
  const one = /^\/v1beta\/interactions\/[^/]+$/;
  return [
    { method: 'POST', path: /^\/v1beta\/interactions$/, answer: (call) => create(call, memory) },
    { method: 'GET', path: one, answer: (call) => send(call, show(find(call, memory), call.now)) },
    {
      method: 'DELETE',
      path: one,
      async answer(call) {
        find(call, memory);
        memory.delete(idIn(call));
        await send(call, {});
      },
    },
    {
      method: 'POST',
      path: /^\/v1beta\/interactions\/[^/]+\/cancel$/,
      takes: 'nothing',
      async answer(call) {
        const stored = find(call, memory);
        if (!stored.isBackground) refuse('Only interactions in the background can be cancelled.');
        if (call.now < stored.doneAt) stored.isCancelled = true;
        await send(call, show(stored, call.now));
      },
    },
  ];
}

async function create(call: Call, memory: Memory): Promise<void> {
  const { exchange, behaviour, now, key } = call;
  const body = checkBody(call.body);
  const unknown = Object.keys(body).find((name) => !fields.has(name));
  if (unknown !== undefined) refuse(`Invalid JSON payload received. Unknown name "${unknown}": Cannot find field.`);
  const name = body['model'] ?? body['agent'];
  if (typeof name !== 'string') refuse('Either model or agent is required.');
  if (body['background'] === true && body['store'] === false) refuse('background requires store to be true.');
  const previous = typeof body['previous_interaction_id'] === 'string' ? body['previous_interaction_id'] : undefined;
  const before = previous === undefined ? undefined : memory.get(previous);
  if (previous !== undefined && before?.key !== key)
    throw new Refusal({ status: 404, message: 'Interaction not found.' });

  const spoken = readInput(body['input']);
  const turns = [...(before?.turns ?? []), { texts: spoken.texts, media: spoken.media, values: spoken.results }];
  const tools = (Array.isArray(body['tools']) ? body['tools'] : []).filter(isObject);
  const answer = composeAnswer(questionOf(body, spoken, tools), call);
  const id = `v1_${createHash('sha256').update(`${exchange.record.id}:${exchange.record.rawBody}`).digest('base64url')}`;
  const created = new Date(now).toISOString();
  const counted: CountedTurn[] =
    typeof body['system_instruction'] === 'string'
      ? [{ texts: [body['system_instruction']], media: 0, values: [] }, ...turns]
      : turns;
  const input = countPrompt(counted, tools);
  const usage = spoilUsage(usageOf(input, answer, behaviour.cachedTokens ?? 0), behaviour);
  const head = {
    id,
    object: 'interaction',
    ...(body['agent'] === undefined ? { model: name } : { agent: name }),
    created,
    updated: created,
    ...(body['service_tier'] === undefined ? {} : { service_tier: body['service_tier'] }),
  };
  const done = {
    ...head,
    status: statuses[answer.ending],
    steps: stepsOf(answer),
    ...(usage === undefined ? {} : { usage }),
  };
  const isBackground = body['background'] === true;
  if (body['store'] !== false) {
    const output = { texts: [answer.texts.join('')], media: 0, values: answer.calls.map(({ input: given }) => given) };
    const doneAt = isBackground ? now + backgroundMs : now;
    memory.set(id, { key, interaction: done, turns: [...turns, output], isBackground, doneAt, isCancelled: false });
    const [oldest] = memory.keys();
    if (memory.size > most && oldest !== undefined) memory.delete(oldest);
  }
  const errorBody = makeError({ status: 500 });
  if (body['stream'] === true && !behaviour.ignoreStream) {
    const error = {
      event: 'error',
      data: JSON.stringify({ event_type: 'error', error: { code: 'internal', message: 'Failed.' } }),
    };
    return sendStream(exchange, { events: eventsOf(head, done, answer), writeError: () => error }, behaviour);
  }
  await sendWhole(exchange, { body: isBackground ? { ...head, status: 'in_progress' } : done, errorBody }, behaviour);
}

type SpokenInput = { texts: string[]; media: number; results: unknown[] };

/** A text, one content, contents, or steps of a conversation, of which the user's count. */
function readInput(input: unknown): SpokenInput {
  const spoken: SpokenInput = { texts: [], media: 0, results: [] };
  const read = (one: unknown): void => {
    if (typeof one === 'string') spoken.texts.push(one);
    if (!isObject(one)) return;
    if (one['type'] === 'text' && typeof one['text'] === 'string') spoken.texts.push(one['text']);
    else if (one['type'] === 'function_result') spoken.results.push(one['result']);
    else if (one['type'] === 'user_input') for (const inner of asList(one['content'])) read(inner);
    else if (['image', 'audio', 'video', 'document'].includes(String(one['type']))) spoken.media += 1;
  };
  for (const one of asList(input)) read(one);
  if (spoken.texts.length + spoken.media + spoken.results.length === 0) refuse('input is required.');
  return spoken;
}

function questionOf(
  body: WireObject,
  { texts, results }: SpokenInput,
  tools: WireObject[],
): Parameters<typeof composeAnswer>[0] {
  const config = isObject(body['generation_config']) ? body['generation_config'] : {};
  const functions = tools.filter(({ type }) => type === 'function');
  const format = asList(body['response_format']).find(isObject);
  const schema = format?.['schema'];
  const limit = config['max_output_tokens'];
  const isToolResult = results.length > 0;
  return {
    text: (isToolResult ? results.map((result) => JSON.stringify(result)) : texts).join('\n'),
    isToolResult,
    instructions: typeof body['system_instruction'] === 'string' ? body['system_instruction'] : undefined,
    tools: functions.map((tool) => ({
      name: String(tool['name']),
      parameters: isObject(tool['parameters']) ? tool['parameters'] : {},
    })),
    toolChoice: 'auto',
    parallelToolCalls: true,
    announcesCalls: false,
    answerSchema: isObject(schema) ? schema : undefined,
    stop: [],
    maxTokens: typeof limit === 'number' ? limit : Infinity,
    thinkingLimit: config['thinking_level'] === undefined ? undefined : 1000,
  };
}

function usageOf(input: number, { tokens, thoughts }: Answer, cached: number): WireObject {
  return {
    total_input_tokens: input,
    input_tokens_by_modality: [{ modality: 'text', tokens: input }],
    total_cached_tokens: Math.min(cached, input),
    total_output_tokens: tokens,
    total_thought_tokens: thoughts.length,
    total_tool_use_tokens: 0,
    total_tokens: input + tokens + thoughts.length,
  };
}

function stepsOf({ thoughts, texts, calls }: Answer): WireObject[] {
  return [
    ...(thoughts.length === 0 ? [] : [{ type: 'thought', signature: 'c2FuZGJveA==' }]),
    ...(texts.length === 0 ? [] : [{ type: 'model_output', content: [{ type: 'text', text: texts.join('') }] }]),
    ...calls.map(({ name, input }, index) => ({ type: 'function_call', id: `call_${index}`, name, arguments: input })),
  ];
}

function* eventsOf(head: WireObject, done: WireObject, answer: Answer): Generator<StreamEvent> {
  let count = 0;
  const event = (kind: StreamEvent['kind'], type: string, rest: object): StreamEvent => ({
    kind,
    event: type,
    data: JSON.stringify({ event_type: type, event_id: String(++count), ...rest }),
  });
  yield event('opening', 'interaction.created', { interaction: { ...head, status: 'in_progress' } });
  for (const [index, step] of (done['steps'] as WireObject[]).entries()) {
    const isOutput = step['type'] === 'model_output';
    yield event('opening', 'step.start', { index, step: isOutput ? { type: 'model_output', content: [] } : step });
    if (isOutput)
      for (const text of answer.texts) yield event('content', 'step.delta', { index, delta: { type: 'text', text } });
    yield event('closing', 'step.stop', { index });
  }
  const { steps: _, ...rest } = done;
  yield event('closing', 'interaction.completed', { interaction: rest });
  yield { kind: 'done', data: '[DONE]' };
}

function show({ interaction, doneAt, isCancelled }: Stored, now: number): WireObject {
  const { steps, usage: _, ...rest } = interaction;
  if (isCancelled) return { ...rest, status: 'cancelled' };
  return now < doneAt ? { ...rest, status: 'in_progress' } : { ...interaction, steps };
}

function idIn({ path }: Call): string {
  return decodeURIComponent(path.split('/')[3] ?? '');
}

function find(call: Call, memory: Memory): Stored {
  const stored = memory.get(idIn(call));
  if (stored?.key === call.key) return stored;
  throw new Refusal({ status: 404, message: 'Interaction not found.' });
}

async function send({ exchange, behaviour }: Call, body: WireObject): Promise<void> {
  await sendWhole(exchange, { body, errorBody: makeError({ status: 500 }) }, behaviour);
}

function refuse(message: string): never {
  throw new Refusal({ status: 400, message });
}

function asList(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}
