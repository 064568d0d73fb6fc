// What Bedrock received: Claude by InvokeModel, others by Converse; every request is signed.
import { bodyOf, listOf, objectOf, optionalText, textOf, type Upstream } from '../upstream.ts';
import { anthropicUpstream } from './anthropic.ts';

const signed = {
  provider: 'bedrock',
  options: {},
  access: () => ({ options: { region: 'us-east-1' }, keys: ['AKIDSANDBOX:sandbox-secret'] }),
} as const;

export const claudeOnBedrock: Upstream = {
  ...anthropicUpstream,
  ...signed,
  name: 'bedrock claude',
  model: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  read: (record) => ({ ...anthropicUpstream.read(record), streams: record.path.endsWith('-stream') }),
};

export const converseOnBedrock: Upstream = {
  ...signed,
  name: 'bedrock converse',
  model: 'openai.gpt-oss-120b-1:0',
  showsReasoning: true,
  countsReasoning: false,
  hasStop: true,
  read(record) {
    const body = bodyOf(record);
    const blocks = listOf(body['messages']).flatMap(({ content }) => listOf(content));
    const inside = (name: string) => blocks.flatMap((one) => (one[name] === undefined ? [] : [objectOf(one[name])]));
    const config = objectOf(body['inferenceConfig']);
    const format = objectOf(objectOf(objectOf(body['outputConfig'])['textFormat'])['structure']);
    const schema = optionalText(objectOf(format['jsonSchema'])['schema']);
    return {
      streams: record.path.endsWith('-stream'),
      system: textOf(body['system']),
      tools: listOf(objectOf(body['toolConfig'])['tools']).map((tool) => {
        const { name, inputSchema } = objectOf(tool['toolSpec']);
        return { name: String(name), parameters: objectOf(inputSchema)['json'] };
      }),
      calls: inside('toolUse').map(({ toolUseId: id, name, input }) => ({
        id: optionalText(id),
        name: String(name),
        arguments: input,
      })),
      results: inside('toolResult').map(({ toolUseId: id, content }) => ({
        id: optionalText(id),
        text: textOf(content),
      })),
      pictures: inside('image').map(({ source }) => String(objectOf(source)['bytes'])),
      schema: schema === undefined ? undefined : (JSON.parse(schema) as unknown),
      stop: config['stopSequences'],
      maxTokens: config['maxTokens'],
      effort: objectOf(body['additionalModelRequestFields'])['reasoning_effort'],
      signatures: inside('reasoningContent').map(({ reasoningText }) => String(objectOf(reasoningText)['signature'])),
    };
  },
};
