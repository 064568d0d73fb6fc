// The address of a channel as it is written here: with the path that the other programs add by themselves.
import { type ChannelType, NAMED_BASES } from './channel-types.ts';

const CALL = /\/(?:chat\/completions|completions|embeddings|responses|messages)$/;

/** `other` fills the place in paths that contain the account. */
export function baseUrlOf(
  type: ChannelType,
  { own, other, isWhole }: { own: string; other: string; isWhole: boolean },
) {
  const named = NAMED_BASES[own];
  if (named !== undefined) return named;
  const host = (own === '' ? type.host : own).replace(/\/+$/, '');
  // new-api's custom channels hold the whole address of the call.
  if (isWhole) return host.replace(CALL, '');
  const path = type.path.replace('{other}', encodeURIComponent(other));
  return path === '' || host.endsWith(path) ? host : host + path;
}
