import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { readPrice } from '../catalogue/prices.ts';
import { NO_USAGE } from '../neutral/usage.ts';
import type { Operation } from '../protocols/protocol.ts';
import { Bill } from './bill.ts';
import type { BilledRequest } from './billed-request.ts';
import { UNKNOWN_OUTPUT, type UsageReport } from './usage-report.ts';

const UNITS = ['tokens', 'image', 'audio_second', 'characters', 'search', 'request'];
const NANO = 1_000_000_000n;

function billOf(operation: Operation, price: Record<string, unknown>, size: Partial<BilledRequest> = {}): Bill {
  const request = { maxOutputTokens: undefined, choices: 1, inputBytes: 0, mediaCount: 0, ...size };
  const model = { id: 'm', price: readPrice(JSON.stringify(price)), maxOutputTokens: undefined };
  return new Bill({ groups: new Map() }, { model, group: 'default', request, protocol: { operation, units: UNITS } });
}

const report = (more: Partial<UsageReport>): UsageReport => ({
  usage: undefined,
  output: 0,
  source: 'estimated',
  ...more,
});
const images = (count: number) => ({ count, size: undefined, quality: undefined });

describe('tokens of images and audio', () => {
  const price = { unit: 'tokens', input: '5', output: '10', image_input: '8', image_output: '40' };

  test('an image is held for as a large one of high quality, at the rate of images, as often as asked for', () => {
    const one = billOf('image-generation', price, { inputBytes: 300, images: images(1) });
    // 100 x 5 + 6,240 x 40, per million
    assert.equal(one.holdAmount, ((100n * 5n + 6_240n * 40n) * NANO) / 1_000_000n);
    const three = billOf('image-generation', price, { inputBytes: 300, images: images(3), choices: 3 });
    assert.equal(three.holdAmount, ((100n * 5n + 3n * 6_240n * 40n) * NANO) / 1_000_000n);
  });

  test('images sent along are held for at the rate of images, the words at the plain one', () => {
    const edit = billOf('image-edit', price, { inputBytes: 300, mediaCount: 2, images: images(1) });
    assert.equal(edit.holdAmount, ((100n * 5n + 3_000n * 8n + 6_240n * 40n) * NANO) / 1_000_000n);
  });

  test('without a rate of its own everything is held for at the plain one', () => {
    const plain = { unit: 'tokens', input: '5', output: '10' };
    const edit = billOf('image-edit', plain, { inputBytes: 300, mediaCount: 2, images: images(1) });
    assert.equal(edit.holdAmount, ((3_100n * 5n + 6_240n * 10n) * NANO) / 1_000_000n);
  });

  test('an answer that tells no usage is charged by the same rates, and never above its hold (promise M-09)', () => {
    const edit = billOf('image-edit', price, { inputBytes: 300, mediaCount: 2, images: images(1) });
    const { usage, source } = edit.used(report({ output: 1_056, images: 1 }));
    assert.deepEqual([source, usage.imageInput, usage.imageOutput], ['estimated', 3_000, 1_056]);
    const { amount, arithmetic } = edit.charge(usage);
    // 300 bytes are 75 tokens
    assert.equal(amount, ((75n * 5n + 3_000n * 8n + 1_056n * 40n) * NANO) / 1_000_000n);
    assert.equal(
      arithmetic,
      '(75 input x 5 + 3000 image_input x 8 + 0 output x 10 + 1056 image_output x 40) / 1000000',
    );
    const most = edit.used(report({ output: 9_000_000, images: 1 }));
    assert.ok(edit.charge(most.usage).amount <= edit.holdAmount);
  });

  test('speech is audio at its end, a transcript at its begin', () => {
    const audio = { unit: 'tokens', input: '5', output: '10', audio_input: '20', audio_output: '30' };
    assert.equal(
      billOf('speech', audio, { inputBytes: 300, characters: 300 }).holdAmount,
      ((100n * 5n + 4_096n * 30n) * NANO) / 1_000_000n,
    );
    assert.equal(
      billOf('transcription', audio, { inputBytes: 300, audioMs: 7_000 }).holdAmount,
      ((100n * 20n + 4_096n * 10n) * NANO) / 1_000_000n,
    );
    const heard = billOf('translation', audio, { inputBytes: 300, audioMs: 7_000 });
    const { usage } = heard.used(report({ output: 8 }));
    assert.equal(heard.charge(usage).amount, ((75n * 20n + 8n * 10n) * NANO) / 1_000_000n);
  });

  test('what the upstream counted is charged as it said', () => {
    const bill = billOf('image-generation', price, { inputBytes: 300, images: images(1) });
    const usage = { ...NO_USAGE, input: 50, output: 272, imageOutput: 272 };
    const used = bill.used(report({ usage, output: 1_056, images: 1 }));
    assert.equal(bill.charge(used.usage).amount, ((50n * 5n + 272n * 40n) * NANO) / 1_000_000n);
    assert.equal(used.source, 'upstream');
  });
});

describe('the hold of a text request', () => {
  const price = { unit: 'tokens', input: '5', output: '10', audio_input: '20', image_input: '8', image_output: '30' };
  const dear = { ...price, audio_output: '40', cache_write: '6' };
  const held = (operation: Operation, size: Partial<BilledRequest>, rates: Record<string, unknown> = dear): bigint =>
    billOf(operation, rates, { inputBytes: 300, maxOutputTokens: 50, ...size }).holdAmount;
  const perMillion = (sum: bigint): bigint => (sum * NANO) / 1_000_000n;
  const marked = { marksCache: () => true };

  test('is for output at the highest rate of what is asked for', () => {
    assert.equal(held('chat', {}), perMillion(100n * 5n + 50n * 10n));
    assert.equal(held('chat', { outputMedia: [] }), perMillion(100n * 5n + 50n * 10n));
    assert.equal(held('chat', { outputMedia: ['audio'] }), perMillion(100n * 5n + 50n * 40n));
    assert.equal(held('generate-content', { outputMedia: ['image'] }), perMillion(100n * 5n + 50n * 30n));
    assert.equal(held('generate-content', { outputMedia: ['image', 'audio'] }), perMillion(100n * 5n + 50n * 40n));
    assert.equal(held('chat', { outputMedia: ['audio'] }, price), perMillion(100n * 5n + 50n * 10n));
  });

  test('is for embedded media at the highest rate that any of them has', () => {
    for (const operation of ['chat', 'responses', 'messages', 'generate-content', 'embed-content'] as const)
      assert.equal(held(operation, { mediaCount: 2 }), perMillion(100n * 5n + 3_000n * 20n + 50n * 10n));
    const cheap = { unit: 'tokens', input: '5', output: '10', audio_input: '4' };
    assert.equal(held('chat', { mediaCount: 2 }, cheap), perMillion(3_100n * 5n + 50n * 10n));
  });

  test('is for input at the rate of cache writes where the body marks what to keep', () => {
    assert.equal(held('messages', marked), perMillion(100n * 6n + 50n * 10n));
    assert.equal(held('messages', { marksCache: () => false }), perMillion(100n * 5n + 50n * 10n));
    assert.equal(held('messages', { ...marked, mediaCount: 1 }), perMillion(100n * 6n + 1_500n * 20n + 50n * 10n));
    const writes = { ...price, audio_input: '5', cache_write: '9' };
    assert.equal(held('messages', { ...marked, mediaCount: 1 }, writes), perMillion(1_600n * 9n + 50n * 10n));
  });

  test('asks for such marks only where that rate is above the plain one', () => {
    const marksCache = (): boolean => assert.fail('nobody needs to know');
    assert.equal(held('messages', { marksCache }, price), perMillion(100n * 5n + 50n * 10n));
    assert.equal(held('messages', { marksCache }, { ...price, cache_write: '5' }), perMillion(100n * 5n + 50n * 10n));
  });

  test('tells a quote the same amount, with the rates it comes from', () => {
    const bill = billOf('messages', dear, { inputBytes: 300, mediaCount: 1, maxOutputTokens: 50, ...marked });
    assert.equal(bill.estimate.amount, bill.holdAmount);
    assert.equal(
      bill.estimate.arithmetic,
      '(0 input x 5 + 100 cache_write x 6 + 1500 audio_input x 20 + 50 output x 10) / 1000000',
    );
  });

  test('does not make an answer without usage cost more: that is text as far as anybody knows', () => {
    const size = { inputBytes: 300, mediaCount: 1, ...marked, outputMedia: ['audio'] as const };
    const bill = billOf('chat', dear, size);
    const { usage } = bill.used(report({ output: 50 }));
    assert.equal(bill.charge(usage).amount, perMillion(1_575n * 5n + 50n * 10n));
  });
});

describe('images', () => {
  test('beyond those asked for are not charged (promise M-10)', () => {
    const bill = billOf('image-generation', { unit: 'image', amount: '0.04' }, { images: images(2), choices: 2 });
    const charged = (made: number): bigint => bill.charge(bill.used(report({ images: made })).usage).amount;
    assert.deepEqual([charged(1), charged(2), charged(3)], [40_000_000n, 80_000_000n, 80_000_000n]);
  });

  test('beyond those asked for do not count when tokens are estimated either', () => {
    const price = { unit: 'tokens', input: '0', output: '10' };
    const bill = billOf('image-generation', price, { images: images(1) });
    assert.equal(bill.used(report({ output: 4 * 1_056, images: 4 })).usage.output, 1_056);
  });
});

describe('an input that an upstream tells', () => {
  const price = { unit: 'tokens', input: '1', output: '1' };
  const charged = (input: number, size: Partial<BilledRequest>): [number, string] => {
    const { usage, source } = billOf('responses', price, size).used(
      report({ usage: { ...NO_USAGE, input, output: 5 } }),
    );
    return [usage.input, source];
  };

  test('is cut to what the request can have, and what no model takes is not believed (promise M-10)', () => {
    assert.deepEqual(charged(50_400, { inputBytes: 400 }), [50_400, 'upstream']);
    assert.deepEqual(charged(50_401, { inputBytes: 400 }), [50_400, 'bounded']);
    assert.deepEqual(charged(900_000, { inputBytes: 400, mediaCount: 1 }), [900_000, 'upstream']);
    assert.deepEqual(charged(10_000_001, { inputBytes: 400 }), [100, 'bounded']);
  });

  test('may be longer than the body where the upstream keeps a part of it', () => {
    assert.deepEqual(charged(80_010, { inputBytes: 80, refersElsewhere: true }), [80_010, 'upstream']);
    assert.deepEqual(charged(10_000_001, { inputBytes: 400, refersElsewhere: true }), [100, 'bounded']);
  });
});

describe('an input with a source that the upstream fetches or keeps', () => {
  const price = { unit: 'tokens', input: '1', output: '1' };
  const charged = (input: number, namesSource: () => boolean): [number, string] => {
    const bill = billOf('generate-content', price, { inputBytes: 400, namesSource });
    const { usage, source } = bill.used(report({ usage: { ...NO_USAGE, input, output: 5, imageInput: 7 } }));
    return [usage.input, source];
  };

  test('is believed as far as any model takes it', () => {
    assert.deepEqual(
      charged(300_000, () => true),
      [300_000, 'upstream'],
    );
    assert.deepEqual(
      charged(300_000, () => false),
      [50_400, 'bounded'],
    );
    assert.deepEqual(
      charged(10_000_001, () => true),
      [100, 'bounded'],
    );
  });

  test('is not looked for where the size of the body explains it', () => {
    assert.deepEqual(
      charged(50_400, () => assert.fail('nobody needs to know')),
      [50_400, 'upstream'],
    );
  });
});

describe('seconds of audio', () => {
  const price = { unit: 'audio_second', amount: '0.1' };
  const charged = (audioMs: number | undefined, request: Partial<BilledRequest>): [bigint, string] => {
    const bill = billOf('transcription', price, request);
    const { usage, source } = bill.used(report({ audioMs }));
    return [bill.charge(usage).amount, source];
  };

  test('are those that the upstream heard, as far as the file can have them (promise M-10)', () => {
    const request = { audioMs: 10_000, audioIsGuessed: false };
    assert.deepEqual(charged(11_000, request), [1_100_000_000n, 'upstream']);
    assert.deepEqual(charged(12_000, request), [1_200_000_000n, 'upstream']); // 10 + 10 % + 1
    assert.deepEqual(charged(12_001, request), [1_000_000_000n, 'bounded']);
    assert.deepEqual(charged(4_000, request), [400_000_000n, 'upstream']);
    assert.deepEqual(charged(0, request), [1_000_000_000n, 'counted']);
    assert.deepEqual(charged(undefined, request), [1_000_000_000n, 'counted']);
  });

  test('are held for as far as the upstream would be believed (promise M-09)', () => {
    const bill = billOf('transcription', price, { audioMs: 10_000, audioIsGuessed: false });
    assert.equal(bill.holdAmount, 1_200_000_000n);
  });

  test('that could only be guessed are believed further, but not without end', () => {
    const request = { audioMs: 10_000, audioIsGuessed: true };
    assert.deepEqual(charged(60_000, request), [6_000_000_000n, 'upstream']);
    assert.deepEqual(charged(1_000_000, request), [1_000_000_000n, 'bounded']);
  });
});

test('only what searches has searches', () => {
  const searches = (operation: Operation): number =>
    billOf(operation, { unit: 'request', amount: '1' }).used(report({})).usage.searches;
  assert.deepEqual([searches('rerank'), searches('chat')], [1, 0]);
});

describe('output above a limit (promise M-10)', () => {
  const price = { unit: 'tokens', input: '1', output: '1' };
  const size = { maxOutputTokens: 100, choices: 2 };
  const charged = (more: Partial<UsageReport>, request: Partial<BilledRequest> = size): [number, string] => {
    const { usage, source } = billOf('chat', price, request).used(report(more));
    return [usage.output, source];
  };
  const reported = (output: number, reasoning = 0) => ({ usage: { ...NO_USAGE, input: 3, output, reasoning } });

  test('is charged at the larger of the limit that was sent and our own count', () => {
    const limit = (): number => 200;
    assert.deepEqual(charged({ ...reported(200), output: 10, limit }), [200, 'upstream']);
    assert.deepEqual(charged({ ...reported(900), output: 10, limit }), [200, 'bounded']);
    assert.deepEqual(charged({ ...reported(900), output: 640, limit }), [640, 'bounded']);
    assert.deepEqual(charged({ ...reported(900), output: 950, limit }), [900, 'upstream']);
    assert.deepEqual(charged({ ...reported(900), output: 10 }), [200, 'bounded']);
  });

  test('is charged as reported where no limit was sent', () => {
    assert.deepEqual(charged({ ...reported(900), output: 10, limit: () => undefined }), [900, 'upstream']);
    assert.deepEqual(charged({ ...reported(90_000), output: 10 }, {}), [90_000, 'upstream']);
  });

  test('is not looked for where the answer is short, or all of it was seen', () => {
    const limit = (): number => assert.fail('nobody needs to know');
    assert.deepEqual(charged({ ...reported(200), output: 10, limit }), [200, 'upstream']);
    assert.deepEqual(charged({ ...reported(900), output: 900, limit }), [900, 'upstream']);
  });

  test('never has more reasoning than output', () => {
    const { usage } = billOf('chat', price, size).used(report({ ...reported(900, 800), output: 10, limit: () => 200 }));
    assert.deepEqual([usage.output, usage.reasoning], [200, 200]);
  });

  test('that nobody reports is charged by our own count, also above the hold', () => {
    assert.deepEqual(charged({ output: 640 }), [640, 'estimated']);
    assert.deepEqual(charged({ output: 20_000 }, {}), [20_000, 'estimated']);
    assert.deepEqual(charged({ output: UNKNOWN_OUTPUT }), [200, 'estimated']);
    assert.deepEqual(charged({ output: 640 }, { maxOutputTokens: 0 }), [0, 'estimated']);
    assert.deepEqual(charged({ output: 640, isDoubtful: true }), [640, 'bounded']);
  });

  test('that is reported as 0 is charged by our own count where any came (promise M-10)', () => {
    assert.deepEqual(charged({ ...reported(0), output: 640 }, {}), [640, 'bounded']);
    assert.deepEqual(charged({ ...reported(0), output: 1 }, {}), [1, 'bounded']);
    assert.deepEqual(charged({ ...reported(0), output: 0 }, {}), [0, 'upstream']);
    assert.deepEqual(charged({ ...reported(0), output: 640 }, { maxOutputTokens: 0 }), [0, 'upstream']);
    assert.deepEqual(charged({ ...reported(1), output: 640 }, {}), [1, 'upstream']);
  });

  test('is between what was delivered and what was reported, whatever they are', () => {
    const count = fc.integer({ min: 1, max: 500_000 });
    fc.assert(
      fc.property(count, count, fc.option(count, { nil: undefined }), (claimed, delivered, sent) => {
        const limit = (): number | undefined => sent;
        const [output, source] = charged({ ...reported(claimed), output: delivered, limit });
        assert.ok(output <= claimed && output >= Math.min(claimed, delivered));
        assert.equal(source === 'upstream', output === claimed);
      }),
    );
  });
});
