// Responses through the openai library.
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

type Item = OpenAI.Responses.ResponseInputItem;
type Params = OpenAI.Responses.ResponseCreateParamsNonStreaming;
type Response = OpenAI.Responses.Response;

export function responsesClient({ address, key }: Caller): ClientDriver {
  return {
    name: 'responses',
    library: 'openai',
    stopField: 'stop',
    countsReasoning: true,
    failure: 'upstream_error',
    async ask(ask) {
      const seen = nothingSeen();
      const sdk = new OpenAI({ apiKey: key, baseURL: `${address}/v1`, maxRetries: 0, fetch: watchHeads(seen) });
      try {
        see(ask.stream ? await askStream(sdk, ask, seen) : await askWhole(sdk, ask), seen);
      } catch (error) {
        seen.error = readOpenaiError(error);
      }
      return seen;
    },
  };
}

function askWhole(sdk: OpenAI, ask: Ask): Promise<Response> {
  return sdk.responses.create(writeParams(ask), { headers: strictHeader(ask.strict) });
}

async function askStream(sdk: OpenAI, ask: Ask, seen: Seen): Promise<Response> {
  const stream = sdk.responses.stream({ ...writeParams(ask), stream: true }, { headers: strictHeader(ask.strict) });
  for await (const event of stream) {
    if (!event.type.endsWith('.delta')) continue;
    seen.pieces++;
    if (event.type === 'response.output_text.delta') seen.text += event.delta;
  }
  return stream.finalResponse();
}

function see({ output, status, incomplete_details: details, usage }: Response, seen: Seen): void {
  const messages = output.filter((item) => item.type === 'message');
  const calls = output.filter((item) => item.type === 'function_call');
  const thoughts = output.filter((item) => item.type === 'reasoning');
  const parts = messages.flatMap(({ content }) => content);
  seen.text = parts.map((part) => (part.type === 'output_text' ? part.text : '')).join('');
  seen.reasoning = thoughts.flatMap(({ summary }) => summary.map(({ text }) => text)).join('');
  seen.calls = calls.map((call) => ({
    id: call.call_id,
    name: call.name,
    arguments: JSON.parse(call.arguments) as unknown,
  }));
  seen.finish = status === 'completed' ? (calls.length > 0 ? 'calls' : 'stop') : details?.reason;
  if (seen.finish === 'max_output_tokens') seen.finish = 'length';
  if (usage !== undefined)
    seen.usage = {
      input: usage.input_tokens,
      cached: usage.input_tokens_details.cached_tokens,
      output: usage.output_tokens,
      reasoning: usage.output_tokens_details.reasoning_tokens,
    };
  seen.turn = output;
}

function writeParams({ question, model }: Ask): Params {
  const { system, tools, schema, reasons, stop, maxTokens } = question;
  return {
    model,
    input: writeInput(question),
    ...(system !== undefined && { instructions: system }),
    ...(tools !== undefined && {
      tools: tools.map((tool) => ({ type: 'function', ...tool, strict: false })),
    }),
    ...(schema !== undefined && { text: { format: { type: 'json_schema', name: 'report', schema, strict: true } } }),
    ...(reasons === true && {
      reasoning: { effort: 'low', summary: 'auto' },
      store: false,
      include: ['reasoning.encrypted_content'],
    }),
    // Not a field of this protocol: a caller who writes it anyway shall hear of it.
    ...(stop !== undefined && { stop: [stop] }),
    ...(maxTokens !== undefined && { max_output_tokens: maxTokens }),
  };
}

function writeInput({ prompt, picture, after }: Question): Item[] {
  const input: Item[] = [];
  if (picture === undefined) input.push({ role: 'user', content: prompt });
  else {
    const url = `data:image/png;base64,${picture}`;
    const image = { type: 'input_image', image_url: url, detail: 'auto' } as const;
    input.push({ role: 'user', content: [{ type: 'input_text', text: prompt }, image] });
  }
  if (after === undefined) return input;
  input.push(...(after.answer.turn as Item[]));
  for (const [index, output] of after.results.entries())
    input.push({ type: 'function_call_output', call_id: after.answer.calls[index]?.id ?? '', output });
  return input;
}
