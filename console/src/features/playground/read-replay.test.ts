import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chatCall, hasTools, withoutBytes } from './chat-call.ts';
import { readReplay } from './read-replay.ts';

test('a kept chat is replayed as it was: settings, earlier messages and other fields (issue 34 point 4)', () => {
  const tools = [{ type: 'function', function: { name: 'f' } }];
  const body = {
    model: 'a',
    stream: false,
    temperature: 0,
    max_tokens: 7,
    tools,
    messages: [
      { role: 'system', content: 'be brief' },
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'two' },
      { role: 'user', content: [{ type: 'text', text: 'three' }] },
    ],
  };
  const { prompt = '', settings } = readReplay(JSON.stringify(body))?.chat ?? {};
  assert.ok(settings !== undefined && hasTools(settings.extras));
  assert.deepEqual([prompt, settings.system, settings.temperature, settings.maxTokens], ['three', 'be brief', 0, 7]);
  const turn = { text: prompt, files: [], answer: '' };
  const sent = chatCall('b', settings, [turn]).body;
  assert.deepEqual(sent, {
    ...body,
    model: 'b',
    stream: true,
    messages: [...body.messages.slice(0, 3), { role: 'user', content: 'three' }],
  });
  assert.equal(chatCall('b', { ...settings, toolsOff: true }, [turn]).body['tools'], undefined);
});

test('other protocols give their text and settings, and what is cut or missing gives nothing', () => {
  const anthropic = { system: 'brief', messages: [{ role: 'user', content: 'hi' }], max_tokens: 5, thinking: {} };
  assert.deepEqual(readReplay(JSON.stringify(anthropic))?.chat.settings.extras, {});
  assert.equal(readReplay('{"input":"hello","instructions":"x"}')?.chat.prompt, 'hello');
  assert.equal(readReplay('{"contents":[{"role":"user","parts":[{"text":"gem"}]}]}')?.chat.prompt, 'gem');
  assert.deepEqual(readReplay('{"query":"q","documents":["a","b"]}')?.inputs, { prompt: 'q', lines: 'a\nb' });
  assert.deepEqual(readReplay('{"prompt":"p","seconds":8,"size":"1x1"}')?.inputs, {
    prompt: 'p',
    size: '1x1',
    seconds: '8',
  });
  for (const text of ['', '{"a":', '[1]', 'null']) assert.equal(readReplay(text), null);
});

test('pictures and files go with the turn that they belong to, and their bytes are not shown in code', () => {
  const { earlier: _, ...settings } = readReplay('{"messages":[]}')?.chat.settings ?? assert.fail();
  const url = 'data:image/png;base64,AAAA';
  const files = [
    { name: 'a.png', type: 'image/png', url },
    { name: 'b.pdf', type: 'application/pdf', url: 'data:application/pdf;base64,BBBB' },
  ];
  const call = chatCall('m', { ...settings, earlier: [] }, [{ text: 'look', files, answer: 'seen' }]);
  assert.deepEqual(call.body['messages'], [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'look' },
        { type: 'image_url', image_url: { url } },
        { type: 'file', file: { filename: 'b.pdf', file_data: 'data:application/pdf;base64,BBBB' } },
      ],
    },
    { role: 'assistant', content: 'seen' },
  ]);
  assert.doesNotMatch(JSON.stringify(withoutBytes(call)), /AAAA|BBBB/);
});
