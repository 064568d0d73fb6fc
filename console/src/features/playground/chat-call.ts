// A conversation as the call that a client makes of it.
import type { SampleCall } from '../../lib/code-samples.ts';

export interface Attachment {
  name: string;
  type: string;
  /** With the bytes in it. */
  url: string;
}

export interface Turn {
  text: string;
  files: Attachment[];
  answer: string;
}

export interface ChatSettings {
  system: string;
  /** Empty: as the model likes. */
  temperature: number | string;
  maxTokens: number | string;
  toolsOff: boolean;
  /** Messages before the first turn, and other fields, of a request that is replayed. */
  earlier: unknown[];
  extras: Record<string, unknown>;
}

export const noSettings: ChatSettings = {
  system: '',
  temperature: '',
  maxTokens: '',
  toolsOff: false,
  earlier: [],
  extras: {},
};

const TOOLS = ['tools', 'tool_choice', 'parallel_tool_calls', 'functions', 'function_call'];

export function chatCall(model: string, settings: ChatSettings, turns: readonly Turn[]): SampleCall {
  const { system, temperature, maxTokens, toolsOff, earlier, extras } = settings;
  const others = Object.entries(extras).filter(([name]) => !toolsOff || !TOOLS.includes(name));
  return {
    path: '/v1/chat/completions',
    body: {
      ...Object.fromEntries(others),
      model,
      stream: true,
      messages: [
        ...(system.trim() === '' ? [] : [{ role: 'system', content: system }]),
        ...earlier,
        ...turns.flatMap((turn) => [
          { role: 'user', content: contentOf(turn) },
          ...(turn.answer === '' ? [] : [{ role: 'assistant', content: turn.answer }]),
        ]),
      ],
      ...(temperature !== '' && { temperature: Number(temperature) }),
      ...(maxTokens !== '' && { max_tokens: Number(maxTokens) }),
    },
  };
}

export function hasTools(extras: Record<string, unknown>): boolean {
  return TOOLS.some((name) => extras[name] !== undefined);
}

function contentOf({ text, files }: Turn): unknown {
  if (files.length === 0) return text;
  return [
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...files.map(({ name, type, url }) =>
      type.startsWith('image/')
        ? { type: 'image_url', image_url: { url } }
        : { type: 'file', file: { filename: name, file_data: url } },
    ),
  ];
}

/** For reading: bytes of files are left out. */
export function withoutBytes(call: SampleCall): SampleCall {
  const body = JSON.parse(
    JSON.stringify(call.body, (_name, value: unknown) =>
      typeof value === 'string' && value.startsWith('data:') ? `${value.slice(0, value.indexOf(',') + 1)}...` : value,
    ),
  ) as SampleCall['body'];
  return { ...call, body };
}
