// Bodies made to be costly. Whatever a token without money sends, no single stretch of work on the event loop takes 50 ms of
// processor time, and neither does a request that is paid for and goes on as it came (promise B-11).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startProbedGateway } from './support/probed-gateway.ts';

const MOST_MS = 50;
/** At the largest body that is taken by default. */
const MOST_AT_LIMIT_MS = 200;
const MEGABYTE = 1024 * 1024;
const LARGE = 16 * MEGABYTE;
const LARGEST = 64 * MEGABYTE - 100; // the upstream, which has the same limit, gets another name of the model
const TOKENS = { unit: 'tokens', input: '1', output: '1' };

/** As many of `item` between head and tail as fit. */
function list(head: string, item: string, tail: string, bytes = LARGE): Buffer {
  const bytesLeft = bytes - head.length - tail.length - item.length;
  return Buffer.concat([
    Buffer.from(head + item),
    Buffer.from(`,${item}`.repeat(Math.floor(bytesLeft / (item.length + 1)))),
    Buffer.from(tail),
  ]);
}

function text(head: string, unit: string, tail: string, bytes = LARGE): Buffer {
  const bytesLeft = bytes - head.length - tail.length;
  return Buffer.concat([
    Buffer.from(head),
    Buffer.alloc(Math.floor(bytesLeft / unit.length) * unit.length, unit),
    Buffer.from(tail),
  ]);
}

interface Attack {
  path: string;
  body: Buffer;
  /** What it is answered; 402 where nothing is wrong with it and it has a price. */
  status: number;
}

const CHAT = '/v1/chat/completions';
const MESSAGES = '/v1/messages';
const GEMINI = '/v1beta/models/sandbox-translated:generateContent';
const chatHead = '{"model":"sandbox-translated","messages":[';
const user = '{"role":"user","content":';
/** Base64, in the most expensive spelling that a reader of JSON may be given. */
const ESCAPED = '\\u0041'.repeat(4);

const attacks: Record<string, () => Attack> = {
  'small messages': () => ({ path: CHAT, body: list(chatHead, `${user}"x"}`, ']}'), status: 400 }),
  'as many messages as are allowed': () => ({
    path: CHAT,
    body: Buffer.from(`${chatHead}${Array(10_000).fill(`${user}"x"}`).join(',')}]}`),
    status: 402,
  }),
  'content parts': () => ({
    path: CHAT,
    body: list(`${chatHead}${user}[`, '{"type":"text","text":"x"}', ']}]}'),
    status: 400,
  }),
  'empty lists': () => ({ path: CHAT, body: list(chatHead, '[]', ']}'), status: 400 }),
  'nothing but escapes': () => ({ path: CHAT, body: text(`${chatHead}${user}"`, '\\n', '"}]}'), status: 402 }),
  'nothing but long escapes': () => ({ path: CHAT, body: text(`${chatHead}${user}"`, '\\u00e9', '"}]}'), status: 402 }),
  'escaped quotes beside the name of an object': () => ({
    path: CHAT,
    body: text(`{"container":"c",${chatHead.slice(1)}${user}"`, '\\"', '"}]}'),
    status: 404,
  }),
  'texts of escaped quotes beside the name of an object': () => ({
    path: CHAT,
    body: list(`{"container":"c",${chatHead.slice(1)}`, `${user}"${'\\"'.repeat(8_000)}"}`, ']}'),
    status: 404,
  }),
  'long names beside the name of an object': () => ({
    path: CHAT,
    body: list(
      `{"container":"c",${chatHead.slice(1)}`,
      `{"role":"user","content":"x","${'\\n'.repeat(30_000)}":1}`,
      ']}',
    ),
    status: 404,
  }),
  'a name of an object that is large': () => ({
    path: CHAT,
    body: text(`${chatHead}${user}"x"}],"container":"`, '\\n', '"}'),
    status: 400,
  }),
  'a large picture': () => ({
    path: CHAT,
    body: text(`${chatHead}${user}[{"type":"image_url","image_url":{"url":"data:image/png;base64,`, ESCAPED, '"}}]}]}'),
    status: 402,
  }),
  blanks: () => ({ path: CHAT, body: text(`${chatHead}${user}"x"}]`, ' ', '}'), status: 400 }),
  'a long number': () => ({ path: CHAT, body: text(`${chatHead}${user}"x"}],"seed":1`, '1', '}'), status: 400 }),
  'a long name': () => ({ path: CHAT, body: text(`${chatHead}${user}"x"}],"`, '\\n', '":1}'), status: 400 }),
  'a setting that is large': () => ({
    path: CHAT,
    body: text(`${chatHead}${user}"x"}],"modalities":["`, '\\n', '"]}'),
    status: 400,
  }),
  tools: () => ({
    path: CHAT,
    body: list(`${chatHead}${user}"x"}],"tools":[`, '{"type":"function"}', ']}'),
    status: 400,
  }),
  'messages, message style': () => ({
    path: MESSAGES,
    body: list('{"model":"sandbox-translated","max_tokens":9,"messages":[', `${user}"x"}`, ']}'),
    status: 400,
  }),
  'one message of escapes, message style': () => ({
    path: MESSAGES,
    body: text(`{"model":"sandbox-translated","max_tokens":9,"messages":[${user}"`, '\\n', '"}]}'),
    status: 402,
  }),
  'a count of escapes': () => ({
    path: '/v1/messages/count_tokens',
    body: text(`{"model":"sandbox-translated","messages":[${user}"`, '\\n', '"}]}'),
    status: 200,
  }),
  'items of responses': () => ({
    path: '/v1/responses',
    body: list('{"model":"sandbox-translated","input":[', `${user}"x"}`, ']}'),
    status: 400,
  }),
  contents: () => ({ path: GEMINI, body: list('{"contents":[', '{"parts":[{"text":"x"}]}', ']}'), status: 400 }),
  'one part of escapes': () => ({
    path: GEMINI,
    body: text('{"contents":[{"parts":[{"text":"', '\\n', '"}]}]}'),
    status: 402,
  }),
  'texts for vectors': () => ({
    path: '/v1/embeddings',
    body: list('{"model":"sandbox-vectors","input":[', '"x"', ']}'),
    status: 400,
  }),
  'token ids for vectors': () => ({
    path: '/v1/embeddings',
    body: list('{"model":"sandbox-vectors","input":[', '1', ']}'),
    status: 400,
  }),
  'requests for vectors': () => ({
    path: '/v1beta/models/sandbox-vectors:batchEmbedContents',
    body: list('{"requests":[', '{"content":{"parts":[{"text":"x"}]}}', ']}'),
    status: 400,
  }),
  documents: () => ({
    path: '/v1/rerank',
    body: list('{"model":"sandbox-ranks","query":"x","documents":[', '"x"', ']}'),
    status: 400,
  }),
  'one document of escapes': () => ({
    path: '/v1/rerank',
    body: text('{"model":"sandbox-ranks","query":"x","documents":["', '\\n', '"]}'),
    status: 402,
  }),
  'a long query': () => ({
    path: '/v1/rerank',
    body: text('{"model":"sandbox-ranks","documents":["x"],"query":"', '\\n', '"}'),
    status: 400,
  }),
  'a long prompt for images': () => ({
    path: '/v1/images/generations',
    body: text('{"model":"sandbox-pictures","prompt":"', '\\n', '"}'),
    status: 400,
  }),
  'an image to edit': () => ({
    path: '/v1/images/edits',
    body: text('{"model":"sandbox-pictures","prompt":"x","image":"data:image/png;base64,', ESCAPED, '"}'),
    status: 402,
  }),
  'a text to be spoken': () => ({
    path: '/v1/audio/speech',
    body: text('{"model":"sandbox-speech","voice":"x","input":"', 'words ', '"}'),
    status: 400,
  }),
  'video metadata as text': () => ({
    path: '/v1/video/generations',
    body: list('{"model":"sandbox-translated","prompt":"x","metadata":"{\\"a\\":[', '[]', ']}"}'),
    status: 400,
  }),
  'pictures for a video': () => ({
    path: '/v1/video/generations',
    body: text('{"model":"sandbox-translated","prompt":"x","images":["data:image/png;base64,', ESCAPED, '"]}'),
    status: 400,
  }),
  'pictures in video metadata': () => ({
    path: '/v1/videos',
    body: text(
      '{"model":"sandbox-translated","prompt":"x","metadata":{"content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,',
      ESCAPED,
      '"}}]}}',
    ),
    status: 400,
  }),
  'a quote': () => ({
    path: '/v1/quote',
    body: text(
      `{"endpoint":"/v1/messages","body":{"model":"sandbox-translated","max_tokens":9,"messages":[${user}"`,
      '\\n',
      '"}]}}',
    ),
    status: 200,
  }),
};

/** Processor time of `knownWork` on two calm cores of the kind that the promise speaks of. */
const KNOWN_WORK_MS = 30;
knownWork(); // once, so that it is compiled

/** Processor time that work takes now, in multiples of a calm machine: cores that are shared are slower by the clock of the thread too. */
function slowness(): number {
  const started = process.threadCpuUsage();
  knownWork();
  const { user, system } = process.threadCpuUsage(started);
  return Math.max(1, (user + system) / 1000 / KNOWN_WORK_MS);
}

function knownWork(): void {
  const list = Array.from({ length: 20_000 }, (_, index) => ({ role: 'user', content: `text ${index}` }));
  for (let round = 0; round < 4; round++) JSON.parse(JSON.stringify(list));
}

describe('bodies made to be costly', async () => {
  const gateway = await startProbedGateway();
  await gateway.addModel('sandbox-translated', 'openai', TOKENS);
  await gateway.operator('PATCH', await channelPath(), { options: { speaks: ['responses'] } });
  await gateway.addModel('sandbox-plain', 'openai', TOKENS);
  await gateway.addModel('sandbox-vectors', 'openai', TOKENS);
  await gateway.addModel('sandbox-ranks', 'rerank', { unit: 'search', amount: '1' });
  await gateway.addModel('sandbox-pictures', 'openai', { unit: 'request', amount: '1' });
  await gateway.addModel('sandbox-speech', 'openai', { unit: 'characters', amount: '1' });

  async function channelPath(): Promise<string> {
    const { data } = await gateway.operator<{ data: { id: string }[] }>('GET', '/channels');
    return `/channels/${data[0]?.id ?? ''}`;
  }

  async function send(key: string, { path, body }: Attack): Promise<Response> {
    const headers = {
      'content-type': 'application/json',
      ...(path.startsWith('/v1beta') ? { 'x-goog-api-key': key } : { authorization: `Bearer ${key}` }),
      ...(path.startsWith(MESSAGES) && { 'anthropic-version': '2023-06-01' }),
    };
    return fetch(gateway.address + path, { method: 'POST', headers, body: new Uint8Array(body) });
  }

  /** A collection of garbage may fall into any try; what a body costs is in all of them. */
  const sliceOf = async (key: string, attack: Attack, mostWhenCalm = MOST_MS): Promise<number> => {
    let least = Infinity;
    let most = 0;
    for (let tries = 0; tries < 3 && least >= most; tries++) {
      most = mostWhenCalm * slowness();
      const ms = await gateway.longestSlice(async () => {
        const answer = await send(key, attack);
        const text = await answer.text();
        assert.equal(answer.status, attack.status, text.slice(0, 500));
      });
      least = Math.min(least, ms);
    }
    assert.ok(least < most, `${least} ms of processor time without a pause`);
    return least;
  };

  for (const [name, make] of Object.entries(attacks))
    test(`${name}: from a token with next to no money`, async (t) => {
      t.diagnostic(`${await sliceOf(gateway.poor, make())} ms`);
    });

  test('a token without money has no large body read at all, whatever it holds', async (t) => {
    for (const name of ['small messages', 'pictures for a video', 'a count of escapes', 'a quote']) {
      const attack = attacks[name]?.() ?? assert.fail();
      t.diagnostic(`${name}: ${await sliceOf(gateway.broke, { ...attack, status: 402 })} ms`);
    }
  });

  const paid: Record<string, (model: string, bytes: number) => Buffer> = {
    'a picture': (model, bytes) =>
      text(
        `{"model":"${model}","messages":[${user}[{"type":"image_url","image_url":{"url":"data:image/png;base64,`,
        'AAAA',
        '"}}]}]}',
        Math.min(bytes, LARGE),
      ),
    escapes: (model, bytes) => text(`{"model":"${model}","messages":[${user}"`, '\\n', '"}]}', bytes),
    'the most messages': (model) =>
      Buffer.from(`{"model":"${model}","messages":[${Array(10_000).fill(`${user}"x"}`).join(',')}]}`),
    'the most parts': (model) =>
      Buffer.from(
        `{"model":"${model}","messages":[${user}[${Array(16_000).fill('{"type":"text","text":"x"}').join(',')}]}]}`,
      ),
  };
  for (const [name, make] of Object.entries(paid)) {
    test(`${name}, paid for and passed on as it came (promise B-11)`, async (t) => {
      const body = make('sandbox-plain', LARGEST);
      const most = body.length < LARGEST - 10 ? MOST_MS : MOST_AT_LIMIT_MS;
      t.diagnostic(`${await sliceOf(gateway.rich, { path: CHAT, body, status: 200 }, most)} ms`);
    });
    test(`${name}, paid for and translated (promise B-11, up to 2 MB)`, async (t) => {
      const body = make('sandbox-translated', 2 * MEGABYTE);
      t.diagnostic(`${await sliceOf(gateway.rich, { path: CHAT, body, status: 200 })} ms`);
    });
  }
});
