// What a kept reply does with an answer that ends badly (contract 5): paid for, it is the answer; else the next one runs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Claim } from '../../access/idempotency/claim.ts';
import { Claims } from '../../access/idempotency/claims.ts';
import type { BodyReply } from '../../relay/call.ts';
import { makeSecretBox } from '../../shared/secret-box.ts';
import { heartbeat } from '../../store/queries/processes.ts';
import type { Store } from '../../store/store.ts';
import { onEveryStore } from '../../testing/stores.ts';
import { RecordingReply } from './recording-reply.ts';

const request = { scope: 'acc', key: 'k', digest: 'd', requestId: 'req_1' };

/** A reply whose answer has begun, what its client sees of the end, and one that waits with the same key. */
async function begun(store: Store) {
  await heartbeat(store, 'p');
  const claims = new Claims({ store, box: makeSecretBox('a master secret'), owner: 'p', silenceSeconds: 10 });
  const ends: string[] = [];
  const client = {
    begun: false,
    onGone() {},
    beginStream() {},
    write: () => true,
    end: () => void ends.push('end'),
    breakOff: () => void ends.push('break'),
  } as unknown as BodyReply;
  const reply = new RecordingReply(client, 'req_1');
  const claim = await claims.begin(request);
  assert.ok(claim instanceof Claim);
  reply.keepFor(claim);
  const waiting = claims.begin({ ...request, requestId: 'req_2' });
  reply.beginStream('audio/mpeg');
  reply.write(Buffer.from('half'));
  return { reply, ends, waiting };
}

onEveryStore((open) => {
  for (const end of ['end', 'break'] as const) {
    const finish = (reply: RecordingReply): void => (end === 'end' ? reply.end(undefined) : reply.breakOff());

    test(`what ended by ${end} and was paid for is the answer of who waits`, async () => {
      const { reply, ends, waiting } = await begun(await open());
      finish(reply);
      await reply.sent;
      assert.deepEqual(ends, [end]);
      const kept = await waiting;
      assert.ok(!(kept instanceof Claim));
      const { form, contentType } = kept.head;
      assert.deepEqual([form, contentType], [end === 'end' ? 'stream' : 'broken', 'audio/mpeg']);
    });

    test(`what ended by ${end} and was not is never offered to who waits`, async () => {
      const { reply, ends, waiting } = await begun(await open());
      reply.forgo();
      finish(reply);
      assert.deepEqual(ends, [end], 'and its own client need not wait');
      await reply.sent;
      assert.ok((await waiting) instanceof Claim);
    });
  }
});
