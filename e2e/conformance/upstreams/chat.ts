// What an upstream of chat completions received.
import { bodyOf, dataOf, listOf, objectOf, optionalText, textOf, type Upstream } from '../upstream.ts';

const SYSTEM: readonly unknown[] = ['system', 'developer'];

export const chatUpstream: Upstream = {
  name: 'openai chat',
  provider: 'openai',
  options: { speaks: ['chat'] },
  model: 'gpt-4o-mini',
  showsReasoning: false,
  countsReasoning: true,
  hasStop: true,
  read(record) {
    const body = bodyOf(record);
    const messages = listOf(body['messages']);
    const calls = messages.flatMap((message) => listOf(message['tool_calls']));
    const results = messages.filter(({ role }) => role === 'tool');
    const parts = messages.flatMap(({ content }) => listOf(content));
    return {
      streams: body['stream'] === true,
      system: messages.flatMap(({ role, content }) => (SYSTEM.includes(role) ? [textOf(content)] : [])).join(''),
      tools: listOf(body['tools']).map((tool) => {
        const { name, parameters } = objectOf(tool['function']);
        return { name: String(name), parameters };
      }),
      calls: calls.map((call) => {
        const { name, arguments: text } = objectOf(call['function']);
        return { id: optionalText(call['id']), name: String(name), arguments: JSON.parse(String(text)) as unknown };
      }),
      results: results.map(({ tool_call_id: id, content }) => ({ id: optionalText(id), text: textOf(content) })),
      pictures: parts.flatMap((part) => dataOf(objectOf(part['image_url'])['url'])),
      schema: objectOf(objectOf(body['response_format'])['json_schema'])['schema'],
      stop: body['stop'],
      maxTokens: body['max_completion_tokens'] ?? body['max_tokens'],
      effort: body['reasoning_effort'],
      signatures: [],
    };
  },
};
