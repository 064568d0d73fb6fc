// Spans of the gateway as its operator runs it, at a collector that OpenTelemetry's own variables name (contract 1).
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startProcess } from './support/process.ts';
import { waitUntil } from './support/wait.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const WORDS = 'words-that-nobody-else-may-read';

test('a call shows up in its caller’s trace, without a word of what was said', async (t) => {
  let received = '';
  const collector = createServer((request, response) => {
    request.on('data', (piece: Buffer) => void (received += piece.toString()));
    request.on('end', () => response.setHeader('content-type', 'application/json').end('{}'));
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-traces-'));
  const gateway = await startProcess({
    TOLLGATE_DATA_DIR: folder,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_SERVICE_NAME: 'edge-gateway',
  });
  t.after(async () => {
    await gateway.stop('SIGKILL');
    collector.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const { address, demoToken = '' } = gateway.printed;
  const answer = await fetch(`${address}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${demoToken}`,
      'content-type': 'application/json',
      traceparent: `00-${TRACE}-00f067aa0ba902b7-01`,
    },
    body: JSON.stringify({ model: 'sandbox-chat', messages: [{ role: 'user', content: WORDS }] }),
  });
  assert.match(await answer.text(), new RegExp(WORDS));
  const streamed = await fetch(`${address}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demoToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'sandbox-chat',
      stream: true,
      max_tokens: 9,
      messages: [{ role: 'user', content: WORDS }],
    }),
  });
  await streamed.text();
  await waitUntil(() => received.includes(TRACE) && received.includes('time_to_first_chunk'), 'no span has come');
  // By the conventions for generative AI: what the call was, who answered, and how it ended.
  for (const attribute of [
    'operation.name',
    'provider.name',
    'request.model',
    'request.stream',
    'request.max_tokens',
    'response.id',
    'response.model',
    'response.finish_reasons',
    'usage.input_tokens',
    'usage.output_tokens',
  ])
    assert.ok(received.includes(`"gen_ai.${attribute}"`), attribute);
  for (const span of ['"name":"POST /v1/chat/completions"', '"name":"chat sandbox-chat"', '"key":"server.address"'])
    assert.ok(received.includes(span), span);
  for (const reported of [
    'edge-gateway',
    '/v1/chat/completions',
    'sandbox-chat',
    answer.headers.get('x-request-id') ?? '?',
  ])
    assert.ok(received.includes(reported), reported);
  for (const secret of [WORDS, demoToken]) assert.ok(!received.includes(secret));
  assert.equal(await gateway.stop(), 0);
});
