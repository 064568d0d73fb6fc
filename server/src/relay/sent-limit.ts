// The most output that an upstream was allowed by the request as it was sent: a limit that the channel drops, or that
// translation leaves out, bounds nothing.
import type { ChannelFacts } from '../catalogue/catalogue.ts';
import { requestTarget } from '../providers/build-request.ts';
import { findProvider } from '../providers/registry.ts';
import type { RelayRequest, UpstreamBody, UpstreamProtocol } from '../protocols/protocol.ts';

export interface Sent {
  protocol: Pick<UpstreamProtocol, 'readLimit' | 'operation'>;
  request: Pick<RelayRequest, 'model' | 'choices' | 'write' | 'stream' | 'headers'>;
}

/** undefined where no limit was sent. Writes the request once more: for answers that seem longer than they may be. */
export function sentLimit(
  { protocol, request }: Sent,
  { provider, models, options: { dropFields } }: Pick<ChannelFacts, 'provider' | 'models' | 'options'>,
): number | undefined {
  const target = { upstreamModel: models.get(request.model) ?? request.model, dropFields };
  const { operation } = protocol;
  const body = request.write(requestTarget(findProvider(provider) ?? {}, { operation, request }, target));
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
