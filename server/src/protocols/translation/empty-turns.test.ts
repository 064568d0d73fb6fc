// A user's turn that is empty, or of which nothing is known, is refused instead of being answered as another question.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { GatewayError } from '../../errors/gateway-error.ts';
import { writtenText } from '../../testing/written-text.ts';
import { anthropicMessagesClient, anthropicMessagesUpstream, readMessages } from '../anthropic-messages/index.ts';
import { bedrockConverseUpstream } from '../bedrock-converse/index.ts';
import { cohereChatClient, readCohereChat } from '../cohere-chat/index.ts';
import { geminiClient, geminiUpstream, readGenerateContent } from '../gemini-generate-content/index.ts';
import { type JsonRecord, parseRecord } from '../json/json-value.ts';
import { openaiChatClient, openaiChatUpstream, readChat } from '../openai-chat/index.ts';
import { openaiCompletionsUpstream } from '../openai-completions/index.ts';
import { openaiResponsesClient, openaiResponsesUpstream, readResponse } from '../openai-responses/index.ts';
import type { RelayRequest } from '../protocol.ts';
import type { ClientSide, UpstreamSide } from '../text-protocol.ts';
import { translateRequest } from './translate.ts';

interface Client {
  side: ClientSide;
  read(body: object): RelayRequest;
}

const json = (value: object): Buffer => Buffer.from(JSON.stringify({ model: 'm', ...value }));
const chat: Client = { side: openaiChatClient, read: (body) => readChat(json(body)) };
const responses: Client = { side: openaiResponsesClient, read: (body) => readResponse(json(body)) };
const messages: Client = {
  side: anthropicMessagesClient,
  read: (body) => readMessages(json({ max_tokens: 50, ...body })),
};
const cohere: Client = { side: cohereChatClient, read: (body) => readCohereChat(json(body)) };
const gemini: Client = {
  side: geminiClient,
  read: (body) =>
    readGenerateContent(Buffer.from(JSON.stringify(body)), { model: 'm', stream: false, framing: 'events' }),
};

const upstreams: readonly UpstreamSide[] = [
  openaiChatUpstream,
  openaiResponsesUpstream,
  anthropicMessagesUpstream,
  geminiUpstream,
  bedrockConverseUpstream,
];
const wordy = [anthropicMessagesUpstream, geminiUpstream, bedrockConverseUpstream];

function ask({ side, read }: Client, body: object, to: UpstreamSide): { sent: JsonRecord; dropped: readonly string[] } {
  const translation = { from: side, to, id: 'i', created: 1, strict: false, defaultMaxOutput: 9 };
  const translated = translateRequest(read(body), translation);
  assert.ok(translated !== undefined);
  const sent = parseRecord(writtenText(translated.write({ upstreamModel: 'up', dropFields: [] }))) ?? {};
  return { sent, dropped: translated.dropped ?? [] };
}

function refused(client: Client, body: object, to: UpstreamSide): string {
  try {
    return `sent ${JSON.stringify(ask(client, body, to).sent)}`;
  } catch (error) {
    assert.ok(error instanceof GatewayError, String(error));
    assert.deepEqual([error.status, error.code], [400, 'invalid_request']);
    return String(error.details?.param);
  }
}

const hello = { role: 'user', content: 'Hi' };
const user = (content?: unknown): object => ({ messages: [{ role: 'user', content }] });
const after = (content?: unknown): object => ({
  messages: [hello, { role: 'assistant', content: 'Yes?' }, { role: 'user', content }],
});

describe('refused, named in the words of its caller (contract 4)', () => {
  const everywhere: [Client, object, string][] = [
    [chat, user(), 'messages[0].content'],
    [chat, user(null), 'messages[0].content'],
    [chat, user(5), 'messages[0].content'],
    [chat, after(null), 'messages[2].content'],
    [chat, user([{ type: 'txt', text: 'hi' }]), 'messages[0].content[0]'],
    [chat, user([{ text: 'hi' }]), 'messages[0].content[0]'],
    [chat, after([{ type: 'txt', text: 'hi' }, { type: 'other' }]), 'messages[2].content[0]'],
    [cohere, user(), 'messages[0].content'],
    [cohere, user(null), 'messages[0].content'],
    [cohere, user([{ type: 'txt', text: 'hi' }]), 'messages[0].content[0]'],
    [messages, user([{ type: 'txt', text: 'hi' }]), 'messages[0].content[0]'],
    [messages, user([]), 'messages[0].content'],
    [responses, { input: [{ role: 'user' }] }, 'input[0].content'],
    [responses, { input: [{ role: 'user', content: null }] }, 'input[0].content'],
    [responses, { input: [{ role: 'user', content: [{ type: 'text_input' }] }] }, 'input[0].content[0]'],
    [responses, { input: [{ type: 'foo' }], instructions: 'Be brief.' }, 'input[0]'],
    [gemini, { contents: [{ parts: [{ txt: 'x' }] }] }, 'contents[0].parts[0]'],
    [gemini, { contents: [{ parts: [{}] }], systemInstruction: 'Be brief.' }, 'contents[0].parts[0]'],
    [gemini, { contents: [{ parts: [{ text: '' }] }] }, 'contents[0].parts'],
  ];

  for (const to of upstreams)
    test(`for an upstream of ${to.name}`, () => {
      for (const [client, body, field] of everywhere)
        assert.equal(refused(client, body, to), field, `${client.side.name} ${JSON.stringify(body)}`);
    });

  test('where nobody says anything and the upstream takes no empty text', () => {
    for (const to of wordy) {
      for (const content of ['', [], [{ type: 'text', text: '' }]])
        assert.match(refused(chat, user(content), to), /^messages\[0\]\.content(\[0\])?$/);
      assert.equal(refused(messages, user(''), to), 'messages[0].content');
      assert.equal(refused(responses, { input: '' }, to), 'input');
      assert.equal(refused(responses, { input: [{ role: 'user', content: '' }] }, to), 'input[0].content');
    }
  });

  test('where only media were said, and the provider takes none of them', () => {
    const audio = { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } };
    const video = { type: 'video_url', video_url: { url: 'https://x.example/y.mp4' } };
    const blank = { type: 'text', text: ' ' };
    const first = 'messages[0].content[0]';
    const lost: [Client, object, UpstreamSide, string][] = [
      [chat, user([audio]), anthropicMessagesUpstream, first],
      [chat, user([video]), anthropicMessagesUpstream, first],
      [chat, user([video, audio]), anthropicMessagesUpstream, first],
      [chat, user([video]), openaiResponsesUpstream, first],
      [chat, user([video]), bedrockConverseUpstream, first],
      [chat, user([blank, audio]), anthropicMessagesUpstream, 'messages[0].content[1]'],
      [chat, after([audio]), anthropicMessagesUpstream, 'messages[2].content[0]'],
      [responses, { input: [{ role: 'user', content: [audio] }] }, anthropicMessagesUpstream, 'input[0].content[0]'],
      [cohere, user([{ type: 'thinking', thinking: 'x' }]), anthropicMessagesUpstream, first],
    ];
    for (const [client, body, to, field] of lost)
      assert.equal(refused(client, body, to), field, `${to.name} ${JSON.stringify(body)}`);
    const begun = [
      { role: 'user', content: [audio] },
      { role: 'assistant', content: 'It' },
    ];
    assert.equal(refused(chat, { messages: begun }, anthropicMessagesUpstream), first);
    const message = `'${first}' has the kind "audio": it cannot be sent to this model's provider, and there is nothing else.`;
    assert.throws(() => ask(chat, user([audio]), anthropicMessagesUpstream), { message });
    for (const to of [openaiChatUpstream, geminiUpstream]) assert.deepEqual(ask(chat, user([audio]), to).dropped, []);
  });

  test('in a message that says what is wrong', () => {
    const typed = () => ask(chat, user([{ type: 'txt', text: 'hi' }]), anthropicMessagesUpstream);
    const message = `'messages[0].content[0]' has the type "txt": it cannot be sent to this model's provider, and there is nothing else.`;
    assert.throws(typed, { message });
  });
});

describe('sent as before', () => {
  const goOn = [{ type: 'text', text: 'Continue.' }];
  const first = (client: Client, body: object): unknown => {
    const { sent } = ask(client, body, anthropicMessagesUpstream);
    return (sent['messages'] as JsonRecord[])[0]?.['content'];
  };

  test('is a request of instructions alone, or with a user who says nothing', () => {
    const system = { role: 'system', content: 'Be brief.' };
    assert.deepEqual(first(chat, { messages: [system] }), goOn);
    assert.deepEqual(first(chat, { messages: [system, { role: 'user', content: '' }] }), goOn);
    assert.deepEqual(first(responses, { input: [{ role: 'developer', content: 'Be brief.' }] }), goOn);
    const { sent } = ask(
      gemini,
      { contents: [{ parts: [{ text: '' }] }], systemInstruction: 'Be brief.' },
      anthropicMessagesUpstream,
    );
    assert.deepEqual((sent['messages'] as JsonRecord[])[0]?.['content'], goOn);
  });

  test('is an empty text to upstreams that take it', () => {
    const { sent } = ask(responses, { input: [{ role: 'user', content: '' }] }, openaiChatUpstream);
    assert.deepEqual(sent['messages'], [{ role: 'user', content: '' }]);
  });

  test('is an empty turn among others, and an assistant who only calls', () => {
    for (const to of upstreams) {
      assert.deepEqual(ask(chat, after(''), to).dropped, []);
      assert.deepEqual(ask(chat, after([{ type: 'text', text: '' }]), to).dropped, []);
      const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };
      const calls = [
        hello,
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'a', content: '' },
      ];
      assert.deepEqual(ask(chat, { messages: calls }, to).dropped, []);
      assert.deepEqual(ask(chat, { messages: [hello, { role: 'assistant', content: '' }] }, to).dropped, []);
    }
  });

  test('is a conversation in which such a turn has been left behind: it is named', () => {
    const yes = { role: 'assistant', content: 'Yes?' };
    const go = { role: 'user', content: 'c' };
    const upload = [{ type: 'container_upload', file_id: 'f' }];
    const result = [{ type: 'mcp_tool_result', tool_use_id: 'x', content: [] }];
    const use = {
      role: 'assistant',
      content: [
        { type: 'mcp_tool_use', id: 'x', name: 'n', input: {} },
        { type: 'text', text: 'So.' },
      ],
    };
    const audio = { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } };
    const text = (value: string) => [{ text: value }];
    const earlier: [Client, object, string][] = [
      [messages, { messages: [{ role: 'user', content: upload }, yes, go] }, 'messages[0].content[0]'],
      [messages, { messages: [hello, use, { role: 'user', content: result }, go] }, 'messages[2].content[0]'],
      [messages, { messages: [hello, use, { role: 'user', content: result }, yes, go] }, 'messages[2].content[0]'],
      [chat, { messages: [{ role: 'user', content: upload }, yes, go] }, 'messages[0].content[0]'],
      [cohere, { messages: [{ role: 'user', content: upload }, yes, go] }, 'messages[0].content[0]'],
      [responses, { input: [{ role: 'user', content: upload }, yes, go] }, 'input[0].content[0]'],
      [
        gemini,
        { contents: [{ parts: [{ txt: 'x' }] }, { role: 'model', parts: text('Yes?') }, { parts: text('c') }] },
        'contents[0].parts[0].txt',
      ],
    ];
    for (const to of upstreams) {
      for (const [client, body, field] of earlier) {
        const { sent, dropped } = ask(client, body, to);
        assert.ok(dropped.includes(field), `${to.name} ${JSON.stringify(body)} ${String(dropped)}`);
        assert.match(JSON.stringify(sent), /"c"/);
        assert.doesNotMatch(JSON.stringify(sent), /"content":(""|\[\])|"parts":\[\]/);
      }
      const heard = ask(chat, { messages: [{ role: 'user', content: [audio] }, yes, go] }, to);
      assert.match(JSON.stringify(heard.sent), /"c"/);
    }
    const last = { messages: [hello, use, { role: 'user', content: result }] };
    for (const to of upstreams) assert.equal(refused(messages, last, to), 'messages[2].content[0]');
  });

  test('is the result of a tool, whatever else its turn has', () => {
    const call = { role: 'assistant', content: [{ type: 'tool_use', id: 'x', name: 'n', input: {} }] };
    const result = { type: 'tool_result', tool_use_id: 'x', content: 'Done.' };
    const image = { type: 'image', source: { type: 'file', file_id: 'f' } };
    const body = { messages: [hello, call, { role: 'user', content: [result, { type: 'mcp_tool_result' }, image] }] };
    for (const to of upstreams) assert.ok(ask(messages, body, to).dropped.includes('messages[2].content[1]'));
    const chatCall = { id: 'x', type: 'function', function: { name: 'n', arguments: '{}' } };
    const calls = [
      { role: 'user', content: [{ type: 'txt' }] },
      { role: 'assistant', content: null, tool_calls: [chatCall] },
      { role: 'tool', tool_call_id: 'x', content: 'Done.' },
    ];
    for (const to of [...upstreams, openaiCompletionsUpstream])
      assert.ok(ask(chat, { messages: calls }, to).dropped.includes('messages[0].content[0]'));
  });

  test('is a refusal that the user says, as text', () => {
    const refusal = [{ type: 'refusal', refusal: 'I will not.' }];
    for (const to of upstreams)
      for (const [client, body] of [
        [chat, user(refusal)] as const,
        [responses, { input: [{ role: 'user', content: refusal }] }] as const,
      ]) {
        const { sent, dropped } = ask(client, body, to);
        assert.deepEqual([/"I will not\."/.test(JSON.stringify(sent)), dropped], [true, []], to.name);
      }
  });

  test('is what is known beside what is not, which is named', () => {
    const both = [{ type: 'txt' }, { type: 'text', text: 'Hi' }];
    for (const to of upstreams) assert.deepEqual(ask(chat, user(both), to).dropped, ['messages[0].content[0]']);
    const items = { input: [{ type: 'foo' }, { role: 'user', content: 'Hi' }] };
    assert.deepEqual(ask(responses, items, anthropicMessagesUpstream).dropped, ['input[0]']);
  });
});
