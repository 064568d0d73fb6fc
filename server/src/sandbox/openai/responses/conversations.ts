// POST /v1/responses/input_tokens and /v1/responses/compact: a conversation is counted, or put into one item that stands
// for it. https://platform.openai.com/docs/api-reference/responses/compact
import { checkBody, checkModelName, checkText } from '../../fields/check-fields.ts';
import type { WireObject } from '../../fields/refuse.ts';
import { refuse } from '../../fields/refuse.ts';
import { sendWhole } from '../../http/send-whole.ts';
import type { Call } from '../../protocol.ts';
import { spoilUsage } from '../../text/spoil-usage.ts';
import { countTokens } from '../../text/tokens.ts';
import type { ChatMessage } from '../chat/messages.ts';
import { countPromptTokens } from '../chat/usage.ts';
import { writeError } from '../error.ts';
import { makeId } from '../make-id.ts';
import { checkModel } from '../models.ts';
import { readItems, writeMessages } from './input-items.ts';
import type { ResponseMemory } from './response-memory.ts';
import { readTools } from './response-tools.ts';

/** What compact takes; the service refuses every other field. */
const COMPACT_FIELDS: ReadonlySet<string> = new Set([
  'model',
  'input',
  'instructions',
  'previous_response_id',
  'prompt_cache_key',
  'prompt_cache_retention',
  'service_tier',
]);

type Conversation = { items: WireObject[]; messages: ChatMessage[]; inputTokens: number };

export async function countInput(call: Call, memory: ResponseMemory): Promise<void> {
  const { inputTokens } = readConversation(call, memory);
  await send(call, { object: 'response.input_tokens', input_tokens: inputTokens });
}

export async function compact(call: Call, memory: ResponseMemory): Promise<void> {
  const unknown = Object.keys(checkBody(call.body)).find((name) => !COMPACT_FIELDS.has(name));
  if (unknown !== undefined) refuse(unknown, `Unknown parameter: '${unknown}'.`, 'unknown_parameter');
  const { items, inputTokens } = readConversation(call, memory);
  const kept = items.filter((item) => item['type'] === 'message' && item['role'] === 'user');
  const encrypted = Buffer.from(JSON.stringify(items)).toString('base64').slice(0, 400);
  const outputTokens = countTokens(encrypted);
  const usage = {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: Math.min(call.behaviour.cachedTokens ?? 0, inputTokens) },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  };
  await send(call, {
    id: makeId(call, 'resp_'),
    object: 'response.compaction',
    created_at: Math.floor(call.now / 1000),
    output: [
      ...kept.map((item, index) => ({ id: makeId(call, 'msg_', `kept${index}`), status: 'completed', ...item })),
      { id: makeId(call, 'cmp_'), type: 'compaction', encrypted_content: encrypted },
    ],
    usage: spoilUsage(usage, call.behaviour),
  });
}

function readConversation({ body: given, models, key }: Call, memory: ResponseMemory): Conversation {
  const body = checkBody(given);
  checkModel(checkModelName(body['model']), models);
  const previousId = checkText(body['previous_response_id'], 'previous_response_id');
  const previous = previousId === undefined ? undefined : memory.find(key, previousId);
  if (previousId !== undefined && previous === undefined) {
    const message = `Previous response with id '${previousId.slice(0, 200)}' not found.`;
    refuse('previous_response_id', message, 'previous_response_not_found');
  }
  const own = body['input'] === undefined && previous !== undefined ? [] : readItems(body['input']);
  const items = [...(previous?.conversation ?? []), ...own];
  const instructions = checkText(body['instructions'], 'instructions');
  const system: ChatMessage[] = instructions === undefined ? [] : [{ role: 'system', content: instructions }];
  const messages = [...system, ...writeMessages(items)];
  return { items, messages, inputTokens: countPromptTokens({ messages, tools: readTools(body['tools']) }) };
}

async function send({ exchange, behaviour }: Call, body: WireObject): Promise<void> {
  await sendWhole(exchange, { body, errorBody: writeError({ status: 500 }) }, behaviour);
}
