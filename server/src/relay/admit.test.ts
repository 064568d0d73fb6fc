import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { InProcessStore } from '../access/rate-limit/in-process-store.ts';
import { RateLimiter } from '../access/rate-limit/rate-limiter.ts';
import type { Principal } from '../access/principal.ts';
import type { GatewayError } from '../errors/gateway-error.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import {
  anthropicMessages,
  countMessages,
  readCountTokens,
  readMessages,
} from '../protocols/anthropic-messages/index.ts';
import { imageGenerations } from '../protocols/openai-images/index.ts';
import type { Protocol, RelayRequest } from '../protocols/protocol.ts';
import { Router } from '../routing/candidates.ts';
import { facts, secretBox } from '../routing/testing/offered.ts';
import { model, offer, principal } from '../testing/offer.ts';
import { RecordedReply } from '../testing/recorded-reply.ts';
import {
  admit,
  admitCount,
  type AdmitDependencies,
  admitQuote,
  admitVideo,
  admitVideoQuote,
  type Asked,
} from './admit.ts';

const clock = { now: () => 1_800_000_000_000 };
const LIMITED = { key: 'live:tok', rate: { rpm: 1, tpm: undefined, concurrency: 1 } };
const BODY = '"model":"m","max_tokens":5,"messages":[{"role":"user","content":"hi"}]';
const read = (more = ''): RelayRequest => readMessages(Buffer.from(`{${BODY}${more}}`));

async function open(
  offered: Catalogue,
): Promise<AdmitDependencies & { objects: { find(): Promise<Map<string, never>> } }> {
  return {
    catalogue: await LiveCatalogue.open(async () => offered),
    limiter: new RateLimiter({ store: new InProcessStore(clock), clock }),
    router: new Router({ clock, secretBox, random: () => 0 }),
    objects: { find: async () => new Map<string, never>() },
  };
}

/** Code and field of an error. */
const nameOf = ({ code, details: { param = '' } }: GatewayError): string => `${code} ${param}`.trim();

const callOf = (who: Principal, reply = new RecordedReply()) => ({
  requestId: 'req_1',
  endpoint: '/v1/messages',
  principal: who,
  reply,
});

const text = (
  request: RelayRequest,
  { protocol = anthropicMessages, strict = false }: { protocol?: Protocol; strict?: boolean } = {},
): Asked => ({ protocol, request, strict });

describe('admission', () => {
  test('gives the model, the request as it may be sent, and a route (contract 2)', async () => {
    const dependencies = await open(offer(model(), facts('a', { provider: 'anthropic' })));
    const {
      model: found,
      request,
      route,
      grant,
    } = await admit(dependencies, callOf(principal()), text(read(',"service_tier":"priority"')));
    assert.deepEqual([found.id, grant, route.next()?.channel.facts.id], ['m', undefined, 'a']);
    assert.deepEqual(request.dropped, ['service_tier'], 'a tier without a price is left out (contract-2 9)');
  });

  test('answers with the first reason there is: model, strict, rate, unit, operation, channel', async () => {
    const down = facts('a', { provider: 'anthropic', keys: [], options: { ...facts('a').options, concurrency: 0 } });
    const dependencies = await open(offer(model(), down));
    const limited = principal({ rateSubjects: [LIMITED] });
    const full = callOf(limited);
    const first = await dependencies.limiter.admit(full, 0);
    const tiered = read(',"service_tier":"priority"');
    const images = { protocol: imageGenerations };
    const reasons: [string, Principal, Asked][] = [
      ['model_not_found model', limited, text({ ...tiered, model: 'none' }, { strict: true })],
      ['invalid_request service_tier', limited, text(tiered, { strict: true })],
      ['rate_limit_exceeded', limited, text(tiered, images)],
      ['invalid_request model', principal(), text(tiered, { protocol: { ...anthropicMessages, units: ['image'] } })],
      ['invalid_request model', principal(), text(tiered, { protocol: { ...anthropicMessages, operation: 'speech' } })],
      ['no_channel_available', principal(), text(tiered)],
    ];
    const codes: string[] = [];
    for (const [, who, asked] of reasons)
      codes.push(await admit(dependencies, callOf(who), asked).then(String, nameOf));
    assert.deepEqual(
      codes,
      reasons.map(([code]) => code),
    );
    first?.end();
  });

  test('a refusal after the rate was counted ends its grant: the next request may run (contract 4)', async () => {
    const dependencies = await open(offer(model(), facts('a', { provider: 'anthropic' })));
    const who = principal({ rateSubjects: [{ ...LIMITED, rate: { ...LIMITED.rate, rpm: undefined } }] });
    const speech = text(read(), { protocol: { ...anthropicMessages, operation: 'speech' } });
    for (let count = 0; count < 3; count++)
      await assert.rejects(admit(dependencies, callOf(who), speech), { code: 'invalid_request' });
    const { grant } = await admit(dependencies, callOf(who), text(read()));
    await assert.rejects(admit(dependencies, callOf(who), text(read())), { code: 'rate_limit_exceeded' });
    grant?.end();
    (await admit(dependencies, callOf(who), text(read()))).grant?.end();
  });

  test('puts the rate windows into the head of the answer', async () => {
    const dependencies = await open(offer(model(), facts('a', { provider: 'anthropic' })));
    const reply = new RecordedReply();
    await admit(dependencies, callOf(principal({ rateSubjects: [LIMITED] }), reply), text(read()));
    assert.ok(
      Object.keys(reply.headers).some((name) => name.includes('ratelimit')),
      Object.keys(reply.headers).join(),
    );
  });

  test('of a token count needs no price unit and no channel, but the model all the same', async () => {
    const dependencies = await open(offer(model({ price: { unit: 'request', amount: '1' } }), facts('a')));
    const counting = readCountTokens(Buffer.from('{"model":"m","messages":[{"role":"user","content":"hi"}]}'));
    const asked = { protocol: countMessages, request: counting };
    assert.equal((await admitCount(dependencies, callOf(principal()), asked)).route.hasNoUsableChannel, true);
    const unknown = { ...asked, request: { ...counting, model: 'none' } };
    await assert.rejects(admitCount(dependencies, callOf(principal()), unknown), { code: 'model_not_found' });
  });

  test('of a video needs a provider that makes videos and is charged by the unit of the price', async () => {
    const seconds = { unit: 'second', amount: '0.1', resolution: { '720P': '1' } };
    const codeOf = async (price: object, provider: string): Promise<string> =>
      admitVideo(await open(offer(model({ price }), facts('a', { provider }))), callOf(principal()), 'm').then(
        ({ route }) => route.next()?.channel.facts.id ?? '',
        ({ code }: { code: string }) => code,
      );
    assert.equal(await codeOf(seconds, 'alpha'), 'a');
    assert.equal(await codeOf({ unit: 'image', amount: '1' }, 'alpha'), 'invalid_request');
    assert.equal(await codeOf(seconds, 'anthropic'), 'invalid_request');
  });
});

describe('admission of a quote', () => {
  const answered = (ask: () => unknown): unknown => {
    try {
      return ask();
    } catch (error) {
      return nameOf(error as GatewayError);
    }
  };

  test('refuses what the request itself would be refused', () => {
    const offered = offer(model(), facts('a', { provider: 'anthropic' }));
    const quoted = (who: Principal, asked: Asked): unknown => answered(() => admitQuote(offered, who, asked).model.id);
    assert.equal(quoted(principal(), text(read())), 'm');
    assert.equal(quoted(principal({ tokenModels: ['x*'] }), text(read())), 'model_not_allowed model');
    assert.equal(quoted(principal({ mode: 'test' }), text(read())), 'model_not_found model');
    const images = { ...anthropicMessages, units: ['image'] };
    assert.throws(() => admitQuote(offered, principal(), text(read(), { protocol: images })), {
      code: 'invalid_request',
      message: /is sold per tokens, which does not fit this endpoint/,
    });
  });

  test('asks neither rate nor the state of channels: it calls nobody', () => {
    const full = facts('a', { provider: 'anthropic', options: { ...facts('a').options, concurrency: 0 } });
    const who = principal({ rateSubjects: [LIMITED] });
    assert.equal(admitQuote(offer(model(), full), who, text(read())).model.id, 'm');
  });

  test('of a video names the channel whose provider prices it, up or down', () => {
    const price = { unit: 'second', amount: '0.1', resolution: { '720P': '1' } };
    const quoted = (provider: string, more: object = {}): unknown =>
      answered(
        () => admitVideoQuote(offer(model({ price }), facts('a', { provider, ...more })), principal(), 'm').channel.id,
      );
    assert.equal(quoted('alpha', { options: { ...facts('a').options, concurrency: 0 } }), 'a');
    assert.equal(quoted('anthropic'), 'invalid_request model');
    assert.equal(quoted('alpha', { groups: ['vip'] }), 'model_not_found model');
  });
});
