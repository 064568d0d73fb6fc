import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { codeSamples } from './code-samples.ts';
import { shellText } from './code-text.ts';

const BASE = 'http://127.0.0.1:8080';

test('whatever is typed stays one word for the shell', () => {
  for (const text of [`it's`, '$(touch /tmp/x)', '`id`', '"; rm -rf ~ #', 'a\nb', "''"]) {
    assert.equal(execFileSync('/bin/sh', ['-c', `printf %s ${shellText(text)}`], { encoding: 'utf8' }), text);
  }
});

test('each call is shown as curl, Python and JavaScript, with the key left to the environment', () => {
  const chat = {
    path: '/v1/chat/completions',
    body: { model: 'm', stream: true, messages: [{ role: 'user', content: 'hi' }] },
  };
  const samples = codeSamples(BASE, chat);
  assert.deepEqual(
    samples.map(({ language }) => language),
    ['curl', 'Python', 'JavaScript', 'Messages', 'Generate content'],
  );
  for (const { code } of samples) assert.match(code, /TOLLGATE_TOKEN/);
  assert.match(samples[1]?.code ?? '', /stream=True,\n {4}messages=\[\{"role": "user", "content": "hi"\}\]/);
  const [, rerank] = codeSamples(BASE, { path: '/v1/rerank', body: { model: 'm', query: 'q', documents: ['a'] } });
  assert.match(rerank?.code ?? '', /httpx\.post/);
});

test('a file goes as a form, an answer that is a file is written to one', () => {
  const [form, , script] = codeSamples(BASE, { path: '/v1/audio/transcriptions', body: { model: 'm' }, file: 'file' });
  assert.match(form?.code ?? '', /-F 'model=m' \\\n {2}-F file=@recording\.wav/);
  assert.match(script?.code ?? '', /createReadStream/);
  const [speech] = codeSamples(BASE, {
    path: '/v1/audio/speech',
    body: { model: 'm', input: 'x' },
    output: 'speech.mp3',
  });
  assert.match(speech?.code ?? '', /-o speech\.mp3$/);
});

test('a video is submitted, waited for and fetched, and what is typed stays text', () => {
  const body = { model: 'm', prompt: `it's "now"`, seconds: '5' };
  const [curl, python, script] = codeSamples(BASE, { path: '/v1/videos', body, output: 'video.mp4' });
  assert.match(curl?.code ?? '', /\/v1\/videos\/\$id\/content .* -o video\.mp4$/);
  execFileSync('/bin/sh', ['-n', '-c', curl?.code ?? '']);
  assert.match(python?.code ?? '', /videos\.create\(\n {4}model="m",\n {4}prompt="it's \\"now\\"",/);
  assert.match(script?.code ?? '', /videos\.downloadContent\(video\.id\)/);
});

test('the other protocols get the same words in their own places', () => {
  const body = {
    model: 'm',
    messages: [
      { role: 'system', content: 'be `brief`' },
      { role: 'user', content: "it's" },
    ],
  };
  const [, , , messages, generate] = codeSamples(BASE, { path: '/v1/chat/completions', body });
  assert.match(messages?.code ?? '', /system: "be `brief`",\n {2}messages: \[\{ role: 'user', content: "it's" \}\]/);
  assert.match(generate?.code ?? '', /contents: "it's",\n {2}config: \{ systemInstruction: "be `brief`" \}/);
});
