// Messages through the anthropic library.
import Anthropic from '@anthropic-ai/sdk';
import {
  type Ask,
  type Caller,
  type ClientDriver,
  LOW_BUDGET,
  nothingSeen,
  type Question,
  type Seen,
  type SeenError,
  strictHeader,
  USUAL_LIMIT,
  watchHeads,
} from '../driver.ts';

type Message = Anthropic.Messages.Message;
type Turn = Anthropic.Messages.MessageParam;
type Params = Anthropic.Messages.MessageCreateParamsNonStreaming;

const FINISHES: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  tool_use: 'calls',
};

export function messagesClient({ address, key }: Caller): ClientDriver {
  return {
    name: 'messages',
    library: '@anthropic-ai/sdk',
    stopField: 'stop_sequences',
    countsReasoning: false,
    failure: 'api_error',
    async ask(ask) {
      const seen = nothingSeen();
      const options = { apiKey: key, baseURL: address, maxRetries: 0, fetch: watchHeads(seen) };
      const sdk = new Anthropic(options);
      try {
        see(ask.stream ? await askStream(sdk, ask, seen) : await askWhole(sdk, ask), seen);
      } catch (error) {
        seen.error = readError(error);
      }
      return seen;
    },
  };
}

function askWhole(sdk: Anthropic, ask: Ask): Promise<Message> {
  return sdk.messages.create(writeParams(ask), { headers: strictHeader(ask.strict) });
}

async function askStream(sdk: Anthropic, ask: Ask, seen: Seen): Promise<Message> {
  const stream = sdk.messages.stream(writeParams(ask), { headers: strictHeader(ask.strict) });
  stream.on('streamEvent', (event) => {
    if (event.type === 'content_block_delta') seen.pieces++;
  });
  stream.on('text', (text) => {
    seen.text += text;
  });
  return stream.finalMessage();
}

function see({ content, stop_reason: reason, usage }: Message, seen: Seen): void {
  seen.text = content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  seen.reasoning = content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join('');
  seen.calls = content.flatMap((block) =>
    block.type === 'tool_use' ? [{ id: block.id, name: block.name, arguments: block.input }] : [],
  );
  seen.finish = reason === null ? undefined : (FINISHES[reason] ?? reason);
  const cached = usage.cache_read_input_tokens ?? 0;
  const input = usage.input_tokens + cached + (usage.cache_creation_input_tokens ?? 0);
  seen.usage = { input, cached, output: usage.output_tokens, reasoning: undefined };
  seen.turn = content;
}

function readError(error: unknown): SeenError {
  if (!(error instanceof Anthropic.APIError)) throw error;
  const { status, type, message } = error as InstanceType<typeof Anthropic.APIError>;
  return { status, kind: type ?? undefined, message };
}

function writeParams({ question, model }: Ask): Params {
  const { system, tools, schema, reasons, stop, maxTokens } = question;
  return {
    model,
    max_tokens: maxTokens ?? USUAL_LIMIT,
    messages: writeMessages(question),
    ...(system !== undefined && { system }),
    ...(tools !== undefined && {
      tools: tools.map(({ name, description, parameters }) => ({
        name,
        description,
        input_schema: { type: 'object', ...parameters },
      })),
    }),
    ...(schema !== undefined && { output_config: { format: { type: 'json_schema', schema } } }),
    ...(reasons === true && { thinking: { type: 'enabled', budget_tokens: LOW_BUDGET } }),
    ...(stop !== undefined && { stop_sequences: [stop] }),
  };
}

function writeMessages({ prompt, picture, after }: Question): Turn[] {
  const text = { type: 'text', text: prompt } as const;
  const first: Turn = { role: 'user', content: prompt };
  if (picture !== undefined) {
    const source = { type: 'base64', media_type: 'image/png', data: picture } as const;
    first.content = [{ type: 'image', source }, text];
  }
  if (after === undefined) return [first];
  const results = after.results.map((content, index) => ({
    type: 'tool_result' as const,
    tool_use_id: after.answer.calls[index]?.id ?? '',
    content,
  }));
  const turn = after.answer.turn as Anthropic.Messages.ContentBlockParam[];
  return [first, { role: 'assistant', content: turn }, { role: 'user', content: results }];
}
