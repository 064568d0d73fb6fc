import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Bill } from '../../relay/bill.ts';
import { continueFrom, conversationOf } from '../../protocols/openai-responses/kept/continue-response.ts';
import type { KeptResponse } from '../../protocols/openai-responses/kept/kept-response.ts';
import { turnSize } from '../../protocols/openai-responses/kept/turn-size.ts';
import { makeBatchWorld } from '../../testing/batch-world.ts';
import { principal } from '../../testing/offer.ts';
import { onEveryStore } from '../../testing/stores.ts';
import { jsonPaths } from '../../protocols/paths.ts';
import { LineEstimator } from './estimate-line.ts';

const kept: KeptResponse = { input: [{ role: 'user', content: 'Hi' }], response: { id: 'resp_reqA', output: [] } };

// Some encoders write every slash of a picture with a backslash before it: less is left when the line is written again.
onEveryStore((open) => {
  for (const slash of ['/', '\\/'])
    test(`a line that goes on is estimated as it is read when it runs, with ${slash} in its picture (contract-2 8)`, async (t) => {
      const world = await makeBatchWorld(t, await open());
      const size = turnSize(kept);
      const dependencies = { ...world.dependenciesOf('a'), kept: { size: async () => size } };
      const kind = jsonPaths['/v1/responses'];
      assert.ok(kind);
      const picture = `data:image/png;base64,${`iVBOw0KGgo${slash}`.repeat(40_000)}`;
      const body = Buffer.from(
        `{"model":"m","max_output_tokens":16,"previous_response_id":"resp_reqA","input":[{"role":"user","content":[{"type":"input_image","image_url":"${picture}"}]}]}`,
      );
      const { amount } = await new LineEstimator(dependencies, principal()).estimate(kind, body);
      const request = kind.read(continueFrom(body, conversationOf([kept])));
      const catalogue = dependencies.catalogue.current;
      const model = catalogue.models.get('m');
      assert.ok(model);
      const { protocol } = kind;
      const bill = new Bill(catalogue, { model, group: 'default', protocol, request, isBatch: true });
      assert.ok(amount >= bill.holdAmount, `${amount} is estimated, ${bill.holdAmount} is needed`);
      assert.ok(amount < bill.holdAmount * 2n);
    });
});
