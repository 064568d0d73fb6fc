// Writes a chat request for a channel: the caller's bytes with the upstream's model name, usage asked for when streaming,
// and the channel's filtered fields taken out. Nothing else changes.
import { writeJson } from '../json/write-json.ts';
import type { RequestTarget, UpstreamBody } from '../protocol.ts';
import { writeStreamOptions } from '../stream/stream-options.ts';
import type { ChatRequest } from './read-request.ts';
import { fixedFields } from './wire.ts';

export function writeChatRequest(
  { json, model, stream, asksUsage }: ChatRequest,
  target: RequestTarget,
  changes: Readonly<Record<string, string>> = {},
): UpstreamBody {
  // A channel that filters stream_options out cannot be asked for usage; removal wins over this.
  const asked = stream && !asksUsage ? { ...changes, stream_options: writeStreamOptions(json) } : changes;
  return writeJson({ json, model, fixed: fixedFields, changes: asked }, target);
}
