import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import { openaiChat, readChat } from '../protocols/openai-chat/index.ts';
import { openaiEmbeddings, readEmbedding } from '../protocols/openai-embeddings/index.ts';
import type { RelayRequest } from '../protocols/protocol.ts';
import { UpstreamError } from '../providers/upstream-error.ts';
import { ChannelKey } from '../routing/channel-key.ts';
import { Channel } from '../routing/channel.ts';
import type { Candidate } from '../routing/route.ts';
import { catalogue, facts } from '../routing/testing/offered.ts';
import { RecordedReply } from '../testing/recorded-reply.ts';
import { writtenText } from '../testing/written-text.ts';
import { Cancellation } from '../providers/cancellation.ts';
import { betweenSteps, refuseDropped, reportDropped, speaksOwn, speakTo, type TranslationFacts } from './translate.ts';

const chat = (more: object = {}): RelayRequest =>
  readChat(Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }], ...more })));

function candidate(provider: string): Candidate {
  const channel = facts('a', { provider });
  const key = new ChannelKey('k', '');
  return { channel: new Channel(channel, [key], { now: () => 0 }), key };
}

const factsOf = (request: RelayRequest, strict = false): TranslationFacts => ({
  call: { protocol: openaiChat, requestId: 'req_1', strict },
  request,
  createdAt: 1_800_000_000_000,
  defaultMaxOutput: 77,
});

const write = ({ request }: { request: RelayRequest }): Record<string, unknown> =>
  JSON.parse(writtenText(request.write({ upstreamModel: 'up', dropFields: [] }))) as Record<string, unknown>;

test('a channel of the same protocol is asked with the very same request (spec 4.5)', () => {
  const request = chat();
  const spoken = speakTo(candidate('openai'), factsOf(request));
  assert.equal(spoken.request, request);
  assert.equal(spoken.protocol, openaiChat);
});

test('a channel of another is asked in its own, with a limit where that is needed', () => {
  const spoken = speakTo(candidate('anthropic'), factsOf(chat()));
  assert.equal(spoken.protocol.operation, 'messages');
  const { model, max_tokens, messages } = write(spoken);
  assert.deepEqual([model, max_tokens, (messages as unknown[]).length], ['up', 77, 1]);
  assert.deepEqual(spoken.request.dropped, []);
});

test('what cannot be translated is named, and a strict caller is refused before anything is sent (contract 5)', () => {
  const lenient = speakTo(candidate('anthropic'), factsOf(chat({ seed: 7 })));
  write(lenient);
  assert.deepEqual(lenient.request.dropped, ['seed']);
  const strict = speakTo(candidate('anthropic'), factsOf(chat({ seed: 7 }), true));
  assert.throws(() => write(strict), { code: 'invalid_request', message: /cannot take 'seed'/ });
  assert.throws(() => refuseDropped({ dropped: ['service_tier'] }), { code: 'invalid_request' });
  refuseDropped({});
});

test('an operation that the channel does not have is its failure', () => {
  const request = readEmbedding(Buffer.from('{"model":"m","input":"x"}'));
  const asked = { ...factsOf(request), call: { protocol: openaiEmbeddings, requestId: 'req_1', strict: false } };
  assert.throws(() => speakTo(candidate('anthropic'), asked), { errorClass: 'malformed' });
});

test('the head of the answer names what was dropped, in plain characters and bounded length (contract 5)', () => {
  const reply = new RecordedReply();
  const call = { reply };
  const header = (): string | undefined => reply.headers['x-tollgate-dropped'];
  reportDropped({ call, facts: { attempts: [] } }, { dropped: ['a', 'tools[0].x,y\n\u00e4'] });
  assert.equal(header(), 'a, tools[0].x%2Cy%0A%C3%A4');
  reportDropped({ call, facts: { attempts: [] } }, {});
  assert.equal(header(), 'a, tools[0].x%2Cy%0A%C3%A4', 'nothing was tried since');
  reportDropped({ call, facts: { attempts: [{}] } }, {});
  assert.equal(header(), undefined, 'the channel that dropped it has failed');
  reportDropped({ call, facts: { attempts: [] } }, { dropped: Array.from({ length: 2_000 }, (_, i) => `field${i}`) });
  assert.ok((header() ?? '').length < 4_100 && header()?.endsWith('...') === true);
});

test('other requests run between reading and writing a large translation, and a cancelled one is not written', async () => {
  const cancellation = new Cancellation();
  const small = chat();
  const large = chat({ messages: [{ role: 'user', content: 'x'.repeat(200_000) }] });
  const translated = speakTo(candidate('anthropic'), factsOf(large));
  assert.equal(
    betweenSteps(speakTo(candidate('anthropic'), factsOf(small)), { request: small, cancellation }),
    undefined,
  );
  assert.equal(betweenSteps({ ...translated, request: large }, { request: large, cancellation }), undefined);
  let others = 0;
  setImmediate(() => others++);
  await betweenSteps(translated, { request: large, cancellation });
  assert.equal(others, 1);
  const pause = betweenSteps(translated, { request: large, cancellation });
  cancellation.cancel(new UpstreamError('aborted', 'left'));
  await assert.rejects(pause ?? Promise.resolve(), { errorClass: 'aborted' });
});

test('ids in an answer are the upstream’s own only where it was asked in the caller’s protocol', async () => {
  const { current } = await LiveCatalogue.open(async () =>
    catalogue(facts('own'), facts('other', { provider: 'anthropic' })),
  );
  assert.deepEqual(
    ['own', 'other', 'gone'].map((id) => speaksOwn(current, id, 'chat')),
    [true, false, false],
  );
});
