// What a translated answer costs is the price of the usage that the caller saw, on both databases.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { clientsOf, upstreams } from '../conformance/axes.ts';
import type { Question, SeenUsage } from '../conformance/driver.ts';
import { NO_DATABASE_SERVER } from '../support/gateway.ts';
import { ledgerOf, nano } from '../support/money.ts';
import { makeWorld, suiteGateway } from '../support/world.ts';

/** At the price of every world, in nano-units. */
function costs({ input, cached, output }: SeenUsage): bigint {
  return BigInt(input - cached) * 2_500n + BigInt(cached) * 1_250n + BigInt(output) * 10_000n;
}

const QUESTION: Question = { prompt: 'What do I pay for this? [[cached 4]] [[reasoning 5]]', maxTokens: 30 };
/** The first event of the stream says that nothing was cached. */
const LATE: Question = { ...QUESTION, prompt: `${QUESTION.prompt} [[late-cache]]` };

for (const postgres of [false, true]) {
  const skip = postgres ? NO_DATABASE_SERVER : false;
  describe(`a translated answer on ${postgres ? 'PostgreSQL' : 'SQLite'}`, { skip, concurrency: 4 }, async () => {
    if (skip !== false) return;
    const gateway = await suiteGateway({ postgres });

    for (const upstream of upstreams)
      test(`of ${upstream.name} costs what its usage says, for clients of every protocol`, async (t) => {
        const { provider, options } = upstream;
        const base_url = gateway.upstream.baseUrl(provider);
        const world = await makeWorld(gateway, t, { channels: [{ provider, options, base_url }] });
        for (const client of clientsOf({ address: gateway.address, key: world.key }))
          for (const [question, stream] of [
            [QUESTION, false],
            [QUESTION, true],
            [LATE, true],
          ] as const) {
            const seen = await client.ask({ question, model: world.model, stream });
            assert.equal(seen.error, undefined, seen.error?.message);
            assert.ok(seen.usage !== undefined && seen.requestId !== undefined);
            assert.equal(seen.usage.cached, 4, `${client.name} does not show what was cached`);
            assert.equal(seen.usage.output, 30);
            const entries = await ledgerOf(gateway, { account_id: world.account.id });
            const settled = entries.filter((one) => one.kind === 'settle' && one.request_id === seen.requestId);
            assert.deepEqual(
              settled.map(({ amount }) => nano(amount)),
              [costs(seen.usage)],
            );
          }
      });
  });
}
