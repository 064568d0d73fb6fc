// Chat completions through the openai library.
import OpenAI from 'openai';
import {
  type Ask,
  type Caller,
  type ClientDriver,
  nothingSeen,
  type Question,
  type Seen,
  strictHeader,
  watchHeads,
} from '../driver.ts';
import { readOpenaiError } from './openai-error.ts';

type Message = OpenAI.Chat.ChatCompletionMessageParam;
type Params = OpenAI.Chat.ChatCompletionCreateParamsNonStreaming;
/** What compatible servers add for reasoning; the library hands it on. */
type Reasoned = { reasoning_content?: string | null };

export function chatClient({ address, key }: Caller): ClientDriver {
  return {
    name: 'chat',
    library: 'openai',
    stopField: 'stop',
    countsReasoning: true,
    failure: 'upstream_error',
    async ask(ask) {
      const seen = nothingSeen();
      const sdk = new OpenAI({ apiKey: key, baseURL: `${address}/v1`, maxRetries: 0, fetch: watchHeads(seen) });
      try {
        if (ask.stream) await askStream(sdk, ask, seen);
        else await askWhole(sdk, ask, seen);
      } catch (error) {
        seen.error = readOpenaiError(error);
      }
      return seen;
    },
  };
}

async function askWhole(sdk: OpenAI, ask: Ask, seen: Seen): Promise<void> {
  const headers = strictHeader(ask.strict);
  const completion = await sdk.chat.completions.create(writeParams(ask), { headers });
  seen.reasoning = (completion.choices[0]?.message as Reasoned | undefined)?.reasoning_content ?? '';
  see(completion, seen);
}

async function askStream(sdk: OpenAI, ask: Ask, seen: Seen): Promise<void> {
  const params = { ...writeParams(ask), stream: true as const, stream_options: { include_usage: true } };
  const stream = sdk.chat.completions.stream(params, { headers: strictHeader(ask.strict) });
  stream.on('chunk', ({ choices }) => {
    const delta = choices[0]?.delta;
    const { reasoning_content: reasoning } = (delta ?? {}) as Reasoned;
    seen.reasoning += reasoning ?? '';
    seen.text += delta?.content ?? '';
    if ((delta?.content ?? '') !== '' || (reasoning ?? '') !== '' || delta?.tool_calls !== undefined) seen.pieces++;
  });
  see(await stream.finalChatCompletion(), seen);
}

function see({ choices, usage }: OpenAI.Chat.ChatCompletion, seen: Seen): void {
  const [choice] = choices;
  const calls = choice?.message.tool_calls ?? [];
  seen.text = choice?.message.content ?? '';
  seen.calls = calls.flatMap((call) =>
    call.type === 'function'
      ? [{ id: call.id, name: call.function.name, arguments: JSON.parse(call.function.arguments) as unknown }]
      : [],
  );
  seen.finish = choice?.finish_reason === 'tool_calls' ? 'calls' : choice?.finish_reason;
  if (usage !== undefined)
    seen.usage = {
      input: usage.prompt_tokens,
      cached: usage.prompt_tokens_details?.cached_tokens ?? 0,
      output: usage.completion_tokens,
      reasoning: usage.completion_tokens_details?.reasoning_tokens,
    };
  seen.turn = choice?.message;
}

function writeParams({ question, model }: Ask): Params {
  const { tools, schema, reasons, stop, maxTokens } = question;
  return {
    model,
    messages: writeMessages(question),
    ...(tools !== undefined && { tools: tools.map((tool) => ({ type: 'function', function: { ...tool } })) }),
    ...(schema !== undefined && {
      response_format: { type: 'json_schema', json_schema: { name: 'report', schema, strict: true } },
    }),
    ...(reasons === true && { reasoning_effort: 'low' }),
    ...(stop !== undefined && { stop: [stop] }),
    ...(maxTokens !== undefined && { max_completion_tokens: maxTokens }),
  };
}

function writeMessages({ prompt, system, picture, after }: Question): Message[] {
  const messages: Message[] = [];
  if (system !== undefined) messages.push({ role: 'system', content: system });
  if (picture === undefined) messages.push({ role: 'user', content: prompt });
  else {
    const url = `data:image/png;base64,${picture}`;
    const image = { type: 'image_url', image_url: { url } } as const;
    messages.push({ role: 'user', content: [{ type: 'text', text: prompt }, image] });
  }
  if (after === undefined) return messages;
  messages.push(after.answer.turn as Message);
  for (const [index, content] of after.results.entries())
    messages.push({ role: 'tool', tool_call_id: after.answer.calls[index]?.id ?? '', content });
  return messages;
}
