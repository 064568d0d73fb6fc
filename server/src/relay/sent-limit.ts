// The most output that an upstream was allowed by the request as it was sent: a limit that the channel drops, or that
// translation leaves out, bounds nothing.
import type { ChannelFacts } from '../catalogue/catalogue.ts';
import type { Protocol, RelayRequest, UpstreamBody } from '../protocols/protocol.ts';

export interface Sent {
  protocol: Pick<Protocol, 'readLimit'>;
  request: Pick<RelayRequest, 'model' | 'choices' | 'write'>;
}

/** undefined where no limit was sent. Writes the request once more: for answers that seem longer than they may be. */
export function sentLimit(
  { protocol, request }: Sent,
  facts: Pick<ChannelFacts, 'models' | 'options'>,
): number | undefined {
  const upstreamModel = facts.models.get(request.model) ?? request.model;
  const body = request.write({ upstreamModel, dropFields: facts.options.dropFields });
  const bytes = bytesOf(body);
  const limit = bytes === undefined ? undefined : protocol.readLimit?.(bytes);
  return limit === undefined ? undefined : limit * request.choices;
}

/** undefined for a form, which names no limit. */
function bytesOf(body: UpstreamBody): Buffer | undefined {
  if (Buffer.isBuffer(body)) return body;
  const pieces = body.contentType === 'application/json' ? body.open() : undefined;
  return pieces === undefined || Symbol.asyncIterator in pieces ? undefined : Buffer.concat(pieces);
}
