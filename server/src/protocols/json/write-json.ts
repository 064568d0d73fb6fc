// Writes a JSON request for a channel: the caller's bytes, changed only where the gateway owns them.
import type { JsonObject } from '../../shared/json-fields.ts';
import { type JsonChanges, rewriteInPieces } from '../../shared/json-rewrite.ts';
import type { RequestTarget, UpstreamBody } from '../protocol.ts';
import { withRewrite } from './rewrite-fields.ts';

/** Below this a copy is cheaper than sending in pieces. */
const LARGE = 64 * 1024;

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

/** A large body as its pieces, since a copy of it costs as much as all else that is done for the request. */
export function changedBody(json: JsonObject, changes: JsonChanges): UpstreamBody {
  const pieces = rewriteInPieces(json, changes);
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return only;
  if (json.bytes.length < LARGE) return Buffer.concat(pieces);
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return { contentType: 'application/json', length, open: () => pieces };
}
