// What an upstream of responses received.
import { bodyOf, dataOf, listOf, objectOf, optionalText, textOf, type Upstream } from '../upstream.ts';

const SYSTEM: readonly unknown[] = ['system', 'developer'];

export const responsesUpstream: Upstream = {
  name: 'openai responses',
  provider: 'openai',
  options: { speaks: ['responses'] },
  model: 'gpt-4o',
  showsReasoning: false,
  countsReasoning: true,
  hasStop: false,
  read(record) {
    const body = bodyOf(record);
    const items = listOf(body['input']);
    const parts = items.flatMap(({ content }) => listOf(content));
    const prompts = items.flatMap(({ role, content }) => (SYSTEM.includes(role) ? [textOf(content)] : []));
    return {
      streams: body['stream'] === true,
      system: textOf(body['instructions']) + prompts.join(''),
      tools: listOf(body['tools']).map(({ name, parameters }) => ({ name: String(name), parameters })),
      calls: items
        .filter(({ type }) => type === 'function_call')
        .map(({ call_id: id, name, arguments: text }) => ({
          id: optionalText(id),
          name: String(name),
          arguments: JSON.parse(String(text)) as unknown,
        })),
      results: items
        .filter(({ type }) => type === 'function_call_output')
        .map(({ call_id: id, output }) => ({ id: optionalText(id), text: textOf(output) })),
      pictures: parts.flatMap((part) => dataOf(part['image_url'])),
      schema: objectOf(objectOf(body['text'])['format'])['schema'],
      stop: body['stop'],
      maxTokens: body['max_output_tokens'],
      effort: objectOf(body['reasoning'])['effort'],
      signatures: items.flatMap(({ type, encrypted_content: signature }) =>
        type === 'reasoning' && typeof signature === 'string' ? [signature] : [],
      ),
    };
  },
};
