// Requests, answers and streams of every text protocol that hold what the gateway has never heard of: fields, content
// blocks and events of a later day, in a spelling that no serialiser would give back.
import type { ChannelOptions } from '../support/world.ts';

export interface ForeignWords {
  name: string;
  channel: Pick<ChannelOptions, 'provider' | 'options'>;
  /** What a channel's base address ends with. */
  basePath: string;
  /** Below the gateway's address, and below the upstream's. */
  path(model: string, stream: boolean): string;
  /** The model stands in the body, where it does. */
  request(model: string, stream: boolean): string;
  whole: string;
  stream: string;
}

const USUAL = `"later" : {"b":1,"a":[1.0, 1e2, -0]},\t"":null`;

const chat: ForeignWords = {
  name: 'chat',
  channel: { provider: 'openai', options: { speaks: ['chat'] } },
  basePath: '/v1',
  path: () => '/v1/chat/completions',
  request: (model, stream) =>
    `{ "model":"${model}" , ${USUAL},"stream":${stream},"stream_options":{"include_usage":true},` +
    `"messages":[{"role":"user","mood":"h\\u00e9","content":[{"type":"text","text":"x"},{"type":"hologram","beam":1.50}]}]}\r\n`,
  whole:
    `{ "id":"c1","object":"chat.completion","choices":[{"index":0,"aura":{"x":1.0},"message":{"role":"assistant",` +
    `"content":"h\\u00e9","scent":["rose"]},"finish_reason":"stop"}],${USUAL},` +
    `"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5,"warmth":1e1}}\n`,
  stream:
    `data: {"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"h\\u00e9","scent":1.0}}]}\n\n` +
    `: a comment of the upstream\n\n` +
    `event: later.kind\ndata:  { "kind":"later" ,"choices":[]}\n\n` +
    `data: {"id":"c1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\r\n\r\n` +
    `data: {"id":"c1","choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}\n\n` +
    `data: [DONE]\n\n`,
};

const response = (status: string, rest: string): string =>
  `{"id":"resp_1","object":"response","status":"${status}","model":"m",${USUAL},"output":[{"type":"hologram","beam":1.50}]${rest}}`;
const responseUsage = `,"usage":{"input_tokens":3,"output_tokens":2,"total_tokens":5,"warmth":1e1}`;

const responses: ForeignWords = {
  name: 'responses',
  channel: { provider: 'openai', options: { speaks: ['responses'] } },
  basePath: '/v1',
  path: () => '/v1/responses',
  request: (model, stream) =>
    `{ "model":"${model}" , ${USUAL},"stream":${stream},"store":false,` +
    `"input":[{"type":"hologram","beam":1.50},{"role":"user","content":[{"type":"input_text","text":"h\\u00e9"}]}]}\r\n`,
  whole: `${response('completed', responseUsage)}\n`,
  stream:
    `event: response.created\ndata: {"type":"response.created","sequence_number":0,"response":${response('in_progress', '')}}\n\n` +
    `event: response.hologram.delta\ndata:  { "type":"response.hologram.delta","beam":1.50}\n\n` +
    `event: response.completed\ndata: {"type":"response.completed","response":${response('completed', responseUsage)}}\n\n`,
};

const messages: ForeignWords = {
  name: 'messages',
  channel: { provider: 'anthropic' },
  basePath: '',
  path: () => '/v1/messages',
  request: (model, stream) =>
    `{ "model":"${model}" , ${USUAL},"max_tokens":50,"stream":${stream},` +
    `"messages":[{"role":"user","mood":"h\\u00e9","content":[{"type":"text","text":"x"},{"type":"hologram","beam":1.50}]}]}\r\n`,
  whole:
    `{ "id":"msg_1","type":"message","role":"assistant","content":[{"type":"hologram","beam":1.50},` +
    `{"type":"text","text":"h\\u00e9"}],"stop_reason":"end_turn",${USUAL},"usage":{"input_tokens":3,"output_tokens":2,"warmth":1e1}}\n`,
  stream:
    `event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant",` +
    `"content":[],${USUAL},"usage":{"input_tokens":3,"output_tokens":1}}}\n\n` +
    `event: ping\ndata: {"type": "ping"}\n\n` +
    `event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"hologram","beam":1.50}}\n\n` +
    `event: hologram_shimmer\ndata:  { "type":"hologram_shimmer" }\n\n` +
    `event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"beam_delta","beam":"h\\u00e9"}}\n\n` +
    `event: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\n` +
    `event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":2}}\n\n` +
    `event: message_stop\ndata: {"type":"message_stop"}\n\n`,
};

const candidate = (parts: string, rest = ''): string =>
  `{"content":{"role":"model","parts":[${parts}]},"index":0${rest}}`;
const geminiUsage = `"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":2,"totalTokenCount":5,"warmth":1e1}`;

const generateContent: ForeignWords = {
  name: 'generate-content',
  channel: { provider: 'gemini' },
  basePath: '',
  path: (model, stream) => `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  request: () =>
    `{ ${USUAL},"contents":[{"role":"user","mood":"h\\u00e9","parts":[{"text":"x"},{"hologram":{"beam":1.50}}]}]}\r\n`,
  whole: `{ "candidates":[${candidate('{"hologram":{"beam":1.50}},{"text":"h\\u00e9"}', ',"finishReason":"STOP"')}],${USUAL},${geminiUsage}}\n`,
  stream:
    `data: {"candidates": [${candidate('{"hologram":{"beam":1.50}}')}],${USUAL}}\r\n\r\n` +
    `data: {"laterKind": {"beam":1.50}}\r\n\r\n` +
    `data: {"candidates": [${candidate('{"text":"h\\u00e9"}', ',"finishReason":"STOP"')}],${geminiUsage}}\r\n\r\n`,
};

export const foreignWords: readonly ForeignWords[] = [chat, responses, messages, generateContent];
