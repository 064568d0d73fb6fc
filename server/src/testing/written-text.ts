// The text of a body that a protocol wrote for an upstream, for protocols whose bodies are bytes.
import assert from 'node:assert/strict';
import type { UpstreamBody } from '../protocols/protocol.ts';

export function writtenText(body: UpstreamBody): string {
  assert.ok(Buffer.isBuffer(body));
  return body.toString();
}
