// Whether a channel that is down works again: the cheapest call that tells, with one key after another. No caller waits for
// it, and nothing is charged.
import { findProvider } from '../providers/registry.ts';
import { type ChannelTestDependencies, testKey } from './test-channel.ts';
import { Cancellation } from '../providers/cancellation.ts';

export interface ChannelProbe {
  model: string;
  status: number | null;
  latency_ms: number;
  message: string;
}

const PROBE_MS = 15_000;
const MOST_KEYS = 3;

/** undefined when it was not answered, or cannot be tested. */
export async function probeChannel(
  dependencies: ChannelTestDependencies,
  channelId: string,
): Promise<ChannelProbe | undefined> {
  const { router, catalogue, onWorks } = dependencies;
  const channel = router.channels(catalogue).find(({ facts }) => facts.id === channelId);
  const provider = findProvider(channel?.facts.provider ?? '');
  if (channel === undefined || provider === undefined) return undefined;
  for (const key of channel.keysInUse.slice(0, MOST_KEYS)) {
    const proven = key.provenModel !== undefined && channel.facts.models.has(key.provenModel);
    const model = proven ? key.provenModel : channel.facts.models.keys().next().value;
    if (model === undefined) return undefined;
    const cancellation = new Cancellation();
    cancellation.limit(PROBE_MS);
    const {
      ok,
      failure: _,
      ...result
    } = await testKey(dependencies, { channel, key }, { provider, model, cancellation });
    if (!ok) continue;
    onWorks?.(channel, key);
    return { model, ...result };
  }
  return undefined;
}
