// Writes a JSON request for a channel: the caller's bytes, changed only where the gateway owns them.
import type { JsonObject } from '../../shared/json-fields.ts';
import { changedBody } from './changed-body.ts';
import type { RequestTarget, UpstreamBody } from '../protocol.ts';
import { withRewrite } from './rewrite-fields.ts';

export interface JsonRequest {
  json: JsonObject;
  /** As it stands in the body; undefined where the caller left it out. */
  model: string | undefined;
  /** Fields that no channel may filter out. */
  fixed: { has(name: string): boolean };
  /** Other fields that are not sent as they came. */
  changes?: Readonly<Record<string, string>>;
}

/** With the upstream's name of the model, and without the fields that the channel filters out. */
export function writeJson(
  { json, model, fixed, changes = {} }: JsonRequest,
  { upstreamModel, dropFields, changes: asked = {}, rewrite }: RequestTarget,
): UpstreamBody {
  const named = upstreamModel === model ? {} : { model: JSON.stringify(upstreamModel) };
  const set = { ...changes, ...asked.set, ...named };
  const remove = [...dropFields.filter((name) => !fixed.has(name)), ...(asked.remove ?? [])];
  return changedBody(json, withRewrite({ set, remove }, rewrite));
}
