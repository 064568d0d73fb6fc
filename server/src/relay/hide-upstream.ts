// Clears an upstream's own words of what callers must not learn, its address and our keys, and of what they cannot know:
// the name that it has for a model.
import type { Candidate } from '../routing/route.ts';

const MAX_LENGTH = 2_000;
/** Shorter ones are hidden only as words of their own: inside of others they would garble the text. */
const LONG_SECRET = 8;
/** What is shorter still is no secret. */
const SHORTEST_SECRET = 4;

/** `model` is what the caller asked for, if any. */
export function hideUpstream(text: string, { channel, key }: Candidate, model?: string | null): string {
  const { host, hostname } = new URL(channel.facts.baseUrl);
  const secrets = [key.secret, ...Object.values(channel.facts.headers)].filter(isSecret);
  let shown = text;
  for (const secret of [...secrets, channel.facts.baseUrl, host, hostname])
    if (secret.length >= SHORTEST_SECRET)
      shown = shown.replace(secret.length < LONG_SECRET ? asWord(secret) : anyCase(secret), '[hidden]');
  // Upstreams like to repeat part of a key they refuse; what was masked on its way in (shared/secret-mask.ts) is stars.
  shown = shown.replace(/\*{8,}/g, '[hidden]');
  shown = shown.replace(/\b(sk|pk|key)-[\w*-]{6,}/gi, '[hidden]').replace(/https?:\/\/[^\s"')]+/gi, '[hidden]');
  if (model !== undefined && model !== null) shown = withName(shown, model, channel.facts.models.get(model));
  return shown.slice(0, MAX_LENGTH);
}

/** A short word is what people write where a key is asked for and none is needed: `none`, `EMPTY`. */
function isSecret(text: string): boolean {
  return text.length >= LONG_SECRET || /[^a-z]/i.test(text);
}

function withName(text: string, ours: string, theirs: string | undefined): string {
  return theirs === undefined || theirs === ours ? text : text.replace(asWord(theirs), () => ours);
}

function anyCase(text: string): RegExp {
  return new RegExp(escaped(text), 'gi');
}

/** Not inside a longer name: `m-1` is no part of `m-1.5` or `big-m-1`. */
function asWord(text: string): RegExp {
  return new RegExp(`(?<![\\w-]|\\w\\.)${escaped(text)}(?!\\.?[\\w-])`, 'gi');
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
