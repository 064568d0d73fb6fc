// Spec 4.5, contract 5: clients of every text protocol reach upstreams of every text protocol, whole and streamed. Each
// cell is asserted through the client library of the protocol's vendor; the page of the documents is what was seen.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { watchAnswers } from '../support/watch-answers.ts';
import { makeAccount, makeToken, PRICE, suiteGateway } from '../support/world.ts';
import { clientsOf, gridUpstreams as upstreams } from './axes.ts';
import { Cell, offer } from './cell.ts';
import type { ClientDriver } from './driver.ts';
import { scenarios } from './scenarios.ts';
import { type CellResult, renderPage, renderTable } from './table.ts';

const FAILED = 'FAILED';
const PAGE = 'docs/conformance.md';
const results: CellResult[] = [];
const clients: ClientDriver[] = [];

describe('the conformance grid', { concurrency: 8 }, async () => {
  const gateway = await suiteGateway();
  watchAnswers(gateway);
  const account = await makeAccount(gateway, { name: 'grid', credit: '1000' });
  const { key } = await makeToken(gateway, { account_id: account.id });
  clients.push(...clientsOf({ address: gateway.address, key }));
  const models = new Map(upstreams.map((upstream) => [upstream, `grid-${upstream.name.replace(' ', '-')}`]));
  for (const [upstream, model] of models) {
    await gateway.operator('PUT', `/models/${model}`, { price: PRICE });
    await offer(gateway, { upstream, model });
  }

  for (const client of clients)
    for (const [upstream, model] of models)
      for (const stream of [false, true])
        for (const scenario of scenarios)
          test(`${client.name} on ${upstream.name}, ${stream ? 'streamed' : 'whole'}: ${scenario.name}`, async () => {
            const result = { client, upstream, stream, scenario, shown: FAILED };
            results.push(result);
            result.shown = await scenario.run(new Cell({ gateway, client, upstream, stream, model }));
          });
});

test(`${PAGE} shows what the grid gave (npm run conformance writes it)`, () => {
  const axes = { clients, upstreams, scenarios };
  process.stdout.write(`${renderTable(axes, results)}\n`);
  const page = renderPage(axes, results);
  const isUpdate = process.env['WRITE_CONFORMANCE'] === 'yes' && results.every(({ shown }) => shown !== FAILED);
  if (isUpdate) writeFileSync(PAGE, page);
  else assert.equal(readFileSync(PAGE, 'utf8'), page);
});
