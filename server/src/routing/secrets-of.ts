// What of a channel and key no caller may see in an answer: the key, and credentials among extra headers and in the query
// of the base address.
import { SecretMask } from '../shared/secret-mask.ts';
import type { ChannelKey } from './channel-key.ts';
import type { Candidate } from './route.ts';

const NAME = /auth|key|token|secret|cookie|pass|credential|signature/i;
/** Letters and digits without space: nobody writes a name or a version that long. */
const LOOKS_RANDOM = /^(?=.*\d)(?=.*[a-z])[\w+/=.~-]{20,}$/i;
const SCHEME = /^[a-z]+ +(?=\S+$)/i;

interface KnownMask {
  headers: Readonly<Record<string, string>>;
  baseUrl: string;
  mask: SecretMask;
}

const masks = new WeakMap<ChannelKey, KnownMask>();

/** undefined when there is nothing to hide. */
export function secretsOf({ channel, key }: Candidate): SecretMask | undefined {
  const { headers, baseUrl } = channel.facts;
  let known = masks.get(key);
  if (known?.headers !== headers || known.baseUrl !== baseUrl) {
    const query = Object.fromEntries(new URL(baseUrl).searchParams);
    const mask = new SecretMask([key.secret, ...secretValues(headers), ...secretValues(query)]);
    known = { headers, baseUrl, mask };
    masks.set(key, known);
  }
  return known.mask.isIdle ? undefined : known.mask;
}

function secretValues(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .map(([name, value]) => ({ name, value: value.replace(SCHEME, '') }))
    .filter(({ name, value }) => NAME.test(name) || LOOKS_RANDOM.test(value))
    .map(({ value }) => value);
}
