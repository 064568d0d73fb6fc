// What of a channel and key no caller may see in an answer: the key and its parts, and credentials among extra headers and
// in the query of the base address. Tokens that are fetched with a key are added where a request is signed.
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
    const mask = new SecretMask([...partsOf(key.secret), ...secretValues(headers), ...secretValues(query)]);
    known = { headers, baseUrl, mask };
    masks.set(key, known);
  }
  return known.mask.isIdle ? undefined : known.mask;
}

/** Some credentials have parts: fields of a JSON object, or texts with colons between them. Each is as secret as the whole. */
function partsOf(secret: string): string[] {
  if (!secret.startsWith('{')) return secret.includes(':') ? [secret, ...secret.split(':')] : [secret];
  try {
    const fields = Object.entries(JSON.parse(secret) as Record<string, unknown>);
    const texts = fields.flatMap(([name, value]) => (typeof value === 'string' && NAME.test(name) ? [value] : []));
    return [secret, ...texts];
  } catch {
    return [secret];
  }
}

function secretValues(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .map(([name, value]) => ({ name, value: value.replace(SCHEME, '') }))
    .filter(({ name, value }) => NAME.test(name) || LOOKS_RANDOM.test(value))
    .map(({ value }) => value);
}
