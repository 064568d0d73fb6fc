import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UpstreamError } from '../providers/upstream-error.ts';
import { Router } from '../routing/candidates.ts';
import { catalogue, facts, key, REQUEST, secretBox } from '../routing/testing/offered.ts';
import { Cancellation } from '../providers/cancellation.ts';
import { tryCandidates, type TryDependencies } from './try-candidates.ts';

const offered = catalogue(
  facts('a', { priority: 9, keys: [key('a-1'), key('a-2')] }),
  facts('b', { baseUrl: 'http://secret.example/v1' }),
);

function tries(): TryDependencies & { router: Router } {
  const router = new Router({ clock: { now: () => 1_800_000_000_000 }, secretBox, random: () => 0 });
  return { router, route: router.route(offered, REQUEST), cancellation: new Cancellation(), attempts: [], model: 'm' };
}

const outcomes = ({ attempts }: TryDependencies): unknown[] =>
  attempts.map(({ channel_id, status, error }) => [channel_id, status, error]);
const inUse = ({ router }: { router: Router }): number[] => router.channels(offered).map(({ active }) => active);

test('another key after a refused key, another channel after a failed one; each attempt is recorded (contract 4)', async () => {
  const dependencies = tries();
  const failures = [new UpstreamError('unauthorised', 'no', { status: 401 }), new UpstreamError('timed-out', 'slow')];
  const asked: string[] = [];
  const result = await tryCandidates(dependencies, async ({ channel, key: used }) => {
    asked.push(`${channel.facts.id}/${used.id}`);
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    return 'answer';
  });
  assert.deepEqual([result, asked], ['answer', ['a/a-1', 'a/a-2', 'b/b-1']]);
  assert.deepEqual(outcomes(dependencies), [
    ['a', 401, 'unauthorised'],
    ['a', null, 'timed-out'],
    ['b', 200, null],
  ]);
  assert.deepEqual(inUse(dependencies), [0, 1], 'the call that answered is still under way');
});

test('a first answer records no more than before; after a failure the log has start, key and words (issue 34 point 4)', async () => {
  const quick = tries();
  await tryCandidates({ ...quick, since: performance.now() }, async () => 'answer');
  assert.deepEqual(Object.keys(quick.attempts[0] ?? {}), ['channel_id', 'status', 'error', 'ms']);

  const slow = tries();
  const words = { status: 429, upstreamMessage: 'key secret of a-1 is over its limit', upstreamCode: 'quota' };
  const failures = [new UpstreamError('limited', 'no', words)];
  await tryCandidates({ ...slow, since: performance.now() - 40 }, async () => {
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
  });
  const [failed, answered] = slow.attempts;
  assert.deepEqual([failed?.key_id, failed?.code, answered?.key_id], ['a-1', 'quota', 'a-2']);
  assert.match(failed?.message ?? '', /^429 quota: key .*\[hidden\] is over its limit\.$/);
  assert.ok((failed?.at ?? 0) >= 40 && (answered?.at ?? 0) >= (failed?.at ?? 0));
  assert.equal(answered?.message, undefined);

  const refused = tries();
  const quoting = { status: 400, upstreamMessage: 'the prompt "my secret" is not allowed', upstreamCode: 'policy' };
  await assert.rejects(tryCandidates(refused, () => Promise.reject(new UpstreamError('refused', 'no', quoting))));
  assert.deepEqual([refused.attempts[0]?.code, refused.attempts[0]?.message], ['policy', undefined]);
});

test('a refused request is tried nowhere else; its message names neither address nor key nor upstream model', async () => {
  const dependencies = tries();
  const upstreamMessage = 'upstream-m at http://a.example/v1 does not like secret of a-1';
  const refused = new UpstreamError('refused', 'no', { status: 422, upstreamMessage, upstreamCode: 'bad' });
  const tried = tryCandidates(dependencies, () => Promise.reject(refused));
  await assert.rejects(tried, (error: Error & { code: string; status: number }) => {
    assert.deepEqual([error.code, error.status], ['upstream_rejected', 422]);
    assert.doesNotMatch(error.message, /a\.example|secret of|upstream-m/);
    return true;
  });
  assert.deepEqual([outcomes(dependencies), inUse(dependencies)], [[['a', 422, 'refused']], [0, 0]]);
});

test('when nobody is left, the reason follows from what failed (contract 4)', async () => {
  const codeOf = async (failure: UpstreamError): Promise<string> =>
    tryCandidates(tries(), () => Promise.reject(failure)).then(String, ({ code }: { code: string }) => code);
  assert.equal(await codeOf(new UpstreamError('limited', 'slow down')), 'upstream_rate_limited');
  assert.equal(await codeOf(new UpstreamError('timed-out', 'slow')), 'upstream_timeout');
  assert.equal(await codeOf(new UpstreamError('overloaded', 'busy')), 'upstream_error');
});

test('a cancelled request asks nobody, and one cancelled under way asks nobody else (promise M-07)', async () => {
  for (const [errorClass, code] of [
    ['aborted', 'client_gone'],
    ['timed-out', 'upstream_timeout'],
  ] as const) {
    const reason = new UpstreamError(errorClass, 'over');
    const before = tries();
    before.cancellation.cancel(reason);
    await assert.rejects(
      tryCandidates(before, () => assert.fail('asked')),
      { code },
    );
    const during = tries();
    const tried = tryCandidates(during, async () => {
      during.cancellation.cancel(reason);
      throw reason;
    });
    await assert.rejects(tried, { code });
    assert.deepEqual([before.attempts.length, during.attempts.length], [0, 1]);
    assert.deepEqual(
      [inUse(before), inUse(during)],
      [
        [0, 0],
        [0, 0],
      ],
    );
  }
});

test('an error of our own is no failure of the channel: it is thrown as it is, and nobody is blamed', async () => {
  const dependencies = tries();
  const own = new TypeError('bug');
  await assert.rejects(
    tryCandidates(dependencies, () => Promise.reject(own)),
    own,
  );
  assert.deepEqual([dependencies.attempts, inUse(dependencies)], [[], [0, 0]]);
  assert.deepEqual(
    dependencies.router.channels(offered).map(({ breaker }) => breaker.state),
    ['closed', 'closed'],
  );
});
