// The response object and its output items. https://platform.openai.com/docs/api-reference/responses/object
import type { WireObject } from '../../fields/refuse.ts';
import type { Output, OutputItem } from './compose-output.ts';
import type { ResponseRequest } from './response-request.ts';

export type ResponseHead = { id: string; createdAt: number; serviceTier: string };

/** As it is before anything has been said. */
export function writeOpenResponse(
  request: ResponseRequest,
  { id, createdAt, serviceTier }: ResponseHead,
  status: string,
): WireObject {
  const { body } = request;
  return {
    id,
    object: 'response',
    created_at: createdAt,
    completed_at: null,
    access_programs: null,
    status,
    background: request.background,
    error: null,
    incomplete_details: null,
    instructions: request.instructions ?? null,
    max_output_tokens: request.maxTokens ?? null,
    max_tool_calls: body['max_tool_calls'] ?? null,
    model: request.model,
    output: [],
    parallel_tool_calls: request.parallelToolCalls,
    presence_penalty: body['presence_penalty'] ?? 0,
    frequency_penalty: body['frequency_penalty'] ?? 0,
    previous_response_id: request.previousId ?? null,
    prompt_cache_key: body['prompt_cache_key'] ?? null,
    reasoning: { effort: null, summary: null, ...(body['reasoning'] as WireObject | null) },
    safety_identifier: body['safety_identifier'] ?? null,
    service_tier: serviceTier,
    store: request.store,
    temperature: body['temperature'] ?? 1,
    text: { format: { type: 'text' }, verbosity: 'medium', ...(body['text'] as WireObject | null) },
    tool_choice: body['tool_choice'] ?? 'auto',
    tools: ((body['tools'] as WireObject[] | null | undefined) ?? []).map(writeTool),
    top_logprobs: body['top_logprobs'] ?? 0,
    top_p: body['top_p'] ?? 1,
    truncation: body['truncation'] ?? 'disabled',
    usage: null,
    user: body['user'] ?? null,
    metadata: body['metadata'] ?? {},
  };
}

export function writeDoneResponse(open: WireObject, output: Output): WireObject {
  const { status, usage, items } = output;
  const { usage: _, ...rest } = open;
  return {
    ...rest,
    status,
    completed_at: status === 'completed' ? open['created_at'] : null,
    error: status === 'failed' ? { code: 'server_error', message: 'The sandbox was asked to fail.' } : null,
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    output: items.map((item, index) => writeItem(item, status !== 'completed' && index === items.length - 1)),
    ...(usage === undefined ? {} : { usage }),
  };
}

export function writeItem(item: OutputItem, isBroken: boolean): WireObject {
  if (item.type === 'server_call') return writeServerCall(item, 'completed');
  const { type, id, pieces } = item;
  const status = isBroken ? 'incomplete' : 'completed';
  if (type === 'message') return { id, type, status, role: 'assistant', content: [writeTextPart(pieces.join(''))] };
  const text = { [type === 'custom_tool_call' ? 'input' : 'arguments']: pieces.join('') };
  return { id, type, status, ...text, call_id: item.callId, name: item.name };
}

/** https://platform.openai.com/docs/guides/tools-web-search#output-and-citations and the like */
export function writeServerCall({ id, tool }: OutputItem & { type: 'server_call' }, status: string): WireObject {
  const action = tool === 'web_search' ? { action: { type: 'search', query: 'sandbox', queries: ['sandbox'] } } : {};
  return { id, type: `${tool}_call`, status, ...action };
}

export function writeTextPart(text: string): WireObject {
  return { type: 'output_text', annotations: [], logprobs: [], text };
}

/** A function is repeated with all of its fields. */
function writeTool(tool: WireObject): WireObject {
  if (tool['type'] === 'custom') return { format: { type: 'text' }, ...tool };
  if (tool['type'] !== 'function') return tool;
  return { description: null, parameters: null, strict: true, ...tool };
}
