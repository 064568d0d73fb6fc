// Writes a chat request for a channel: the caller's bytes with the upstream's model name, usage asked for when streaming,
// and the channel's filtered fields taken out. Nothing else changes.
import { changedBody } from '../json/changed-body.ts';
import type { RequestTarget, UpstreamBody } from '../protocol.ts';
import { withRewrite } from '../json/rewrite-fields.ts';
import { writeStreamOptions } from '../stream/stream-options.ts';
import type { ChatRequest } from './read-request.ts';
import { fixedFields } from './wire.ts';

export function writeChatRequest(
  request: ChatRequest,
  target: RequestTarget,
  changes: Readonly<Record<string, string>> = {},
): UpstreamBody {
  const remove = [...target.dropFields.filter((name) => !fixedFields.has(name)), ...(target.changes?.remove ?? [])];
  const set: Record<string, string> = { ...changes, ...target.changes?.set };
  if (target.upstreamModel !== request.model) set['model'] = JSON.stringify(target.upstreamModel);
  // A channel that filters stream_options out cannot be asked for usage; removal wins over this.
  if (request.stream && !request.asksUsage) set['stream_options'] = writeStreamOptions(request.json);
  return changedBody(request.json, withRewrite({ set, remove }, target.rewrite));
}
