// What an upstream of messages received.
import { bodyOf, listOf, objectOf, optionalText, textOf, type Upstream } from '../upstream.ts';

export const anthropicUpstream: Upstream = {
  name: 'anthropic',
  provider: 'anthropic',
  options: {},
  model: 'claude-sonnet-4-5',
  showsReasoning: true,
  countsReasoning: false,
  hasStop: true,
  read(record) {
    const body = bodyOf(record);
    const blocks = listOf(body['messages']).flatMap(({ content }) => listOf(content));
    const ofType = (wanted: string) => blocks.filter(({ type }) => type === wanted);
    return {
      streams: body['stream'] === true,
      system: textOf(body['system']),
      tools: listOf(body['tools']).map(({ name, input_schema: parameters }) => ({ name: String(name), parameters })),
      calls: ofType('tool_use').map(({ id, name, input }) => ({
        id: optionalText(id),
        name: String(name),
        arguments: input,
      })),
      results: ofType('tool_result').map(({ tool_use_id: id, content }) => ({
        id: optionalText(id),
        text: textOf(content),
      })),
      pictures: ofType('image').map(({ source }) => String(objectOf(source)['data'])),
      schema: objectOf(objectOf(body['output_config'])['format'])['schema'],
      stop: body['stop_sequences'],
      maxTokens: body['max_tokens'],
      effort: objectOf(body['thinking'])['budget_tokens'],
      signatures: ofType('thinking').map(({ signature }) => String(signature)),
    };
  },
};
