// Clears an upstream's own words of what callers must not learn: its address and our keys.
import type { Candidate } from '../routing/route.ts';

const MAX_LENGTH = 2_000;
/** Secrets shorter than this are no secrets, and replacing them would garble the text. */
const SHORTEST_SECRET = 8;

export function hideUpstream(text: string, { channel, key }: Candidate): string {
  const { host, hostname } = new URL(channel.facts.baseUrl);
  const secrets = [key.secret, ...Object.values(channel.facts.headers), channel.facts.baseUrl, host, hostname];
  let shown = text;
  for (const secret of secrets)
    if (secret.length >= SHORTEST_SECRET) shown = shown.replace(anyCase(secret), '[hidden]');
  // Upstreams like to repeat part of a key they refuse.
  shown = shown.replace(/\b(sk|pk|key)-[\w*-]{6,}/gi, '[hidden]').replace(/https?:\/\/[^\s"')]+/gi, '[hidden]');
  return shown.slice(0, MAX_LENGTH);
}

function anyCase(text: string): RegExp {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi');
}
