// What an upstream was allowed and asked for by the request as it was sent: a limit of output or of tools, or a service tier
// that the channel drops, or that translation leaves out, bounds nothing and costs nothing.
import type { ChannelFacts } from '../catalogue/catalogue.ts';
import { requestTarget } from '../providers/build-request.ts';
import { findProvider } from '../providers/registry.ts';
import { readAskedTiers } from '../protocols/json/asked-tier.ts';
import type { AskedTier, RelayRequest, UpstreamBody, UpstreamProtocol } from '../protocols/protocol.ts';
import type { ToolLimits } from '../neutral/usage.ts';
import { scanJsonObject } from '../shared/json-fields.ts';

export interface Sent {
  protocol: Pick<UpstreamProtocol, 'readLimit' | 'readToolLimits' | 'tierFields' | 'operation'>;
  request: Pick<RelayRequest, 'model' | 'choices' | 'write' | 'stream' | 'headers' | 'serviceTiers'>;
}

/** Looked for only where the money hangs on them. */
export interface AsSent {
  limit: () => number | undefined;
  tiers: () => readonly string[];
  toolLimits: () => ToolLimits | undefined;
}

type SendFacts = Pick<ChannelFacts, 'provider' | 'models' | 'options'>;

/** `own` is the caller's request, of which `sent.request` may be a translation. */
export function asSent(own: RelayRequest, sent: Sent, facts: SendFacts): AsSent {
  const isOwn = sent.request === own;
  const hasLimit = own.maxOutputTokens !== undefined || !isOwn;
  const rewrite = findProvider(facts.provider)?.rewrites?.[sent.protocol.operation];
  const isUntouched = isOwn && rewrite === undefined && facts.options.dropFields.length === 0;
  let tiers: readonly AskedTier[] | undefined = isUntouched ? own.serviceTiers : undefined;
  return {
    limit: () => (hasLimit ? sentLimit(sent, facts) : undefined),
    tiers: () => (tiers ??= sentTiers(sent, facts)).map(({ name }) => name),
    toolLimits: () => sentToolLimits(sent, facts),
  };
}

/** undefined where no limit was sent. Writes the request once more: for answers that seem longer than they may be. */
export function sentLimit(sent: Sent, facts: SendFacts): number | undefined {
  const { protocol, request } = sent;
  const bytes = writtenBytes(sent, facts);
  const limit = bytes === undefined ? undefined : protocol.readLimit?.(bytes);
  return limit === undefined ? undefined : limit * request.choices;
}

/** undefined where the request sets none. */
export function sentToolLimits({ protocol, request }: Sent, facts: SendFacts): ToolLimits | undefined {
  if (protocol.readToolLimits === undefined) return undefined;
  const bytes = writtenBytes({ protocol, request }, facts);
  return bytes && protocol.readToolLimits(bytes);
}

/** None where the request asks for none. Writes it once more, too: for answers that do not report their tier. */
export function sentTiers(sent: Sent, facts: SendFacts): readonly AskedTier[] {
  const { tierFields } = sent.protocol;
  if (sent.request.serviceTiers === undefined || tierFields === undefined) return [];
  const bytes = writtenBytes(sent, facts);
  return (bytes && readAskedTiers(scanJsonObject(bytes), ...tierFields).serviceTiers) ?? [];
}

function writtenBytes({ protocol, request }: Sent, { provider, models, options }: SendFacts): Buffer | undefined {
  const target = { upstreamModel: models.get(request.model) ?? request.model, dropFields: options.dropFields };
  const { operation } = protocol;
  return bytesOf(request.write(requestTarget(findProvider(provider) ?? {}, { operation, request }, target)));
}

/** undefined for a form, which names no limit. */
function bytesOf(body: UpstreamBody): Buffer | undefined {
  if (Buffer.isBuffer(body)) return body;
  const pieces = body.contentType === 'application/json' ? body.open() : undefined;
  return pieces === undefined || Symbol.asyncIterator in pieces ? undefined : Buffer.concat(pieces);
}
