// What the playground fills in of a request that is sent again: of its kept body as much as the playground has fields for.
import { type ChatSettings, noSettings } from './chat-call.ts';
import type { Inputs } from './kinds.ts';

export interface Replayed {
  chat: { prompt: string; settings: ChatSettings };
  inputs: Partial<Inputs>;
}

/** null: it is missing, or cut and cannot be read. */
export function readReplay(text: string): Replayed | null {
  const body = parse(text);
  if (body === undefined) return null;
  const {
    messages,
    input,
    contents,
    system,
    instructions,
    temperature,
    stream: _stream,
    model: _model,
    ...rest
  } = body;
  const { max_tokens, max_completion_tokens, max_output_tokens, ...extras } = rest;
  const all = [messages, contents, input].find(Array.isArray) ?? [];
  const spoken = all.filter(isMessage);
  const isOurs = Array.isArray(messages) && system === undefined; // other protocols' fields are not ours to send
  const first = spoken[0]?.role === 'system' || spoken[0]?.role === 'developer' ? spoken[0] : undefined;
  const last = spoken.findLast(({ role }) => role === 'user');
  const earlier = isOurs ? spoken.filter((message) => message !== first && message !== last) : [];
  const prompt = last === undefined ? textOf(input ?? body['prompt']) : textOf(last.content ?? last.parts);
  const most = [max_tokens, max_completion_tokens, max_output_tokens].find((value) => typeof value === 'number');
  return {
    chat: {
      prompt,
      settings: {
        ...noSettings,
        system: textOf(first?.content ?? system ?? instructions),
        temperature: typeof temperature === 'number' ? temperature : '',
        maxTokens: typeof most === 'number' ? most : '',
        earlier,
        extras: isOurs ? extras : {},
      },
    },
    inputs: inputsOf(body),
  };
}

function inputsOf(body: Record<string, unknown>): Partial<Inputs> {
  const texts = (value: unknown): string =>
    Array.isArray(value) ? value.filter((one) => typeof one === 'string').join('\n') : textOf(value);
  const inputs: Partial<Inputs> = {};
  const prompt = body['prompt'] ?? body['query'] ?? (Array.isArray(body['input']) ? undefined : body['input']);
  if (typeof prompt === 'string') inputs.prompt = prompt;
  const lines = texts(body['documents'] ?? body['input']);
  if (lines !== '') inputs.lines = lines;
  for (const name of ['size', 'voice'] as const) {
    const value = body[name];
    if (typeof value === 'string') inputs[name] = value;
  }
  const seconds = body['seconds'] ?? body['duration'];
  if (typeof seconds === 'string' || typeof seconds === 'number') inputs.seconds = String(seconds);
  return inputs;
}

interface Message {
  role: string;
  content?: unknown;
  parts?: unknown;
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'role' in value && typeof value.role === 'string';
}

/** The text of a message, whatever protocol it is written in. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) => {
      const text = typeof part === 'object' && part !== null && 'text' in part ? part.text : undefined;
      return typeof text === 'string' ? text : '';
    })
    .filter((text) => text !== '')
    .join('\n');
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
