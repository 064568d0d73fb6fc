// The body of a Converse call: every field checked, then put as a request of the messages protocol, whose rules about turns,
// results of tools and signatures are the same. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
import {
  base64,
  type Check,
  dictionary,
  integer,
  list,
  number,
  oneOf,
  refuseAt,
  shape,
  text,
} from '../anthropic/checks.ts';
import { toolName } from '../anthropic/request/content-blocks.ts';
import { isObject, type WireObject } from '../fields/refuse.ts';

const bytes = shape({ bytes: base64 });
const cachePoint = shape({ type: oneOf('default') }, { ttl: oneOf('5m', '1h') });
const documentName: Check = (value, at) => {
  text(value, at);
  if (!/^[a-zA-Z0-9()[\] -]{1,200}$/.test(String(value)) || / {2}/.test(String(value)))
    refuseAt(
      at,
      'The document file name can only contain alphanumeric characters, whitespace characters, hyphens, parentheses, and square brackets.',
    );
};
const words: Check = (value, at) => {
  text(value, at);
  if (String(value).trim() === '') refuseAt(at, 'The text field in the ContentBlock object is blank.');
};
const image = shape({ format: oneOf('png', 'jpeg', 'gif', 'webp'), source: bytes });
const document = shape({
  format: oneOf('pdf', 'csv', 'doc', 'docx', 'xls', 'xlsx', 'html', 'txt', 'md'),
  name: documentName,
  source: bytes,
});
const union =
  (members: Readonly<Record<string, Check>>): Check =>
  (value, at) => {
    shape({}, members)(value, at);
    if (Object.keys(value as object).length !== 1) refuseAt(at, 'exactly one member of the union must be set');
  };
const resultBlock = union({ text: words, image, document, json: dictionary });
const block = union({
  text: words,
  image,
  document,
  cachePoint,
  toolUse: shape({ toolUseId: text, name: toolName, input: dictionary }),
  toolResult: shape({ toolUseId: text, content: list(resultBlock) }, { status: oneOf('success', 'error') }),
  reasoningContent: union({ reasoningText: shape({ text }, { signature: text }), redactedContent: base64 }),
});
const tool = union({
  toolSpec: shape(
    { name: toolName, inputSchema: shape({ json: dictionary }) },
    { description: words, strict: (value, at) => oneOf('true', 'false')(String(value), at) },
  ),
  cachePoint,
});
const jsonSchema = shape({ schema: text }, { name: text, description: text });
const requestShape = shape(
  {},
  {
    messages: list(shape({ role: oneOf('user', 'assistant'), content: list(block) })),
    system: list(union({ text: words, cachePoint })),
    inferenceConfig: shape(
      {},
      {
        maxTokens: integer({ least: 1 }),
        temperature: number({ least: 0, most: 1 }),
        topP: number({ least: 0, most: 1 }),
        stopSequences: list(words),
      },
    ),
    toolConfig: shape(
      { tools: list(tool) },
      { toolChoice: union({ auto: shape({}), any: shape({}), tool: shape({ name: text }) }) },
    ),
    additionalModelRequestFields: dictionary,
    additionalModelResponseFieldPaths: list(text),
    requestMetadata: dictionary,
    serviceTier: shape({ type: oneOf('default', 'priority', 'flex', 'reserved') }),
    outputConfig: shape({}, { textFormat: shape({ type: oneOf('json_schema'), structure: shape({ jsonSchema }) }) }),
  },
);
const defaultMaxTokens = 4096;

export type ConverseRequest = { messages: WireObject; answerSchema: WireObject | undefined; tier: string | undefined };

export function readConverseRequest(body: unknown, model: string): ConverseRequest {
  requestShape(body, '');
  const { messages = [], system, inferenceConfig, toolConfig, serviceTier, outputConfig, ...rest } = body as WireObject;
  const turns = messages as { role: string; content: WireObject[] }[];
  if (turns.at(-1)?.role === 'assistant') refuseAt('messages', 'The conversation must end with a user message.');
  for (const [index, turn] of turns.entries())
    if (index > 0 && turn.role === turns[index - 1]?.role)
      refuseAt('messages', 'A conversation must alternate between user and assistant roles.');
  const config = (inferenceConfig ?? {}) as WireObject;
  const hasTools = turns.some(({ content }) => content.some((one) => one['toolUse'] !== undefined));
  if (hasTools && toolConfig === undefined)
    refuseAt('toolConfig', 'The toolConfig field must be defined when using toolUse and toolResult content blocks.');
  const { tools, choice } = readTools(toolConfig);
  return {
    messages: {
      model,
      max_tokens: config['maxTokens'] ?? defaultMaxTokens,
      messages: turns.map(({ role, content }) => ({ role, content: content.flatMap(writeBlock) })),
      ...(system === undefined ? {} : { system: (system as WireObject[]).flatMap(writeBlock) }),
      ...(config['stopSequences'] === undefined ? {} : { stop_sequences: config['stopSequences'] }),
      ...(tools.length === 0 ? {} : { tools }),
      ...(choice === undefined ? {} : { tool_choice: choice }),
      ...(wantsThoughts(rest['additionalModelRequestFields']) ? { thinking: { type: 'adaptive' } } : {}),
    },
    answerSchema: readSchema(outputConfig),
    tier: isObject(serviceTier) ? String(serviceTier['type']) : undefined,
  };
}

/** Nova is asked by `reasoningConfig`, gpt-oss by `reasoning_effort`. */
function wantsThoughts(fields: unknown): boolean {
  if (!isObject(fields)) return false;
  const { reasoningConfig: config, reasoning_effort: effort } = fields;
  return typeof effort === 'string' || (isObject(config) && config['type'] === 'enabled');
}

function readSchema(outputConfig: unknown): WireObject | undefined {
  const format = isObject(outputConfig) ? outputConfig['textFormat'] : undefined;
  const structure = isObject(format) ? (format['structure'] as { jsonSchema: { schema: string } }) : undefined;
  if (structure === undefined) return undefined;
  try {
    return JSON.parse(structure.jsonSchema.schema) as WireObject;
  } catch {
    return refuseAt('outputConfig.textFormat.structure.jsonSchema.schema', 'not valid JSON');
  }
}

function readTools(toolConfig: unknown): { tools: object[]; choice: object | undefined } {
  if (!isObject(toolConfig)) return { tools: [], choice: undefined };
  const tools = (toolConfig['tools'] as WireObject[]).flatMap(({ toolSpec }) => {
    if (!isObject(toolSpec)) return [];
    const { name, description, inputSchema } = toolSpec as {
      name: string;
      description?: string;
      inputSchema: WireObject;
    };
    return [{ name, ...(description === undefined ? {} : { description }), input_schema: inputSchema['json'] }];
  });
  const given = toolConfig['toolChoice'];
  if (!isObject(given)) return { tools, choice: undefined };
  const named = given['tool'];
  if (isObject(named)) return { tools, choice: { type: 'tool', name: named['name'] } };
  return { tools, choice: { type: given['any'] === undefined ? 'auto' : 'any' } };
}

function writeBlock(given: WireObject): WireObject[] {
  if (typeof given['text'] === 'string') return [{ type: 'text', text: given['text'] }];
  if (given['json'] !== undefined) return [{ type: 'text', text: JSON.stringify(given['json']) }];
  const picture = given['image'] as { format: string; source: { bytes: string } } | undefined;
  if (picture !== undefined) {
    const source = { type: 'base64', media_type: `image/${picture.format}`, data: picture.source.bytes };
    return [{ type: 'image', source }];
  }
  const file = given['document'] as { name: string; source: { bytes: string } } | undefined;
  if (file !== undefined) {
    const data = Buffer.from(file.source.bytes, 'base64').toString('utf8');
    return [{ type: 'document', source: { type: 'text', media_type: 'text/plain', data }, title: file.name }];
  }
  const use = given['toolUse'] as { toolUseId: string; name: string; input: unknown } | undefined;
  if (use !== undefined) return [{ type: 'tool_use', id: use.toolUseId, name: use.name, input: use.input }];
  const result = given['toolResult'] as { toolUseId: string; content: WireObject[]; status?: string } | undefined;
  if (result !== undefined) {
    const content = result.content.flatMap(writeBlock);
    const isError = result.status === 'error' ? { is_error: true } : {};
    return [{ type: 'tool_result', tool_use_id: result.toolUseId, content, ...isError }];
  }
  return writeThought(given['reasoningContent']);
}

function writeThought(given: unknown): WireObject[] {
  if (!isObject(given)) return []; // a cache point
  const thought = given['reasoningText'];
  if (!isObject(thought)) return [{ type: 'redacted_thinking', data: String(given['redactedContent']) }];
  return [{ type: 'thinking', thinking: thought['text'], signature: thought['signature'] ?? '' }];
}
