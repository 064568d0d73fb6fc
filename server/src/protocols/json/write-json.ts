// Writes a JSON request for a channel: the caller's bytes, changed only where the gateway owns them.
import type { JsonObject } from '../../shared/json-fields.ts';
import { type JsonChanges, rewriteInPieces } from '../../shared/json-rewrite.ts';
import type { RequestTarget, UpstreamBody } from '../protocol.ts';
import type { JsonRecord } from './json-value.ts';

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

/**
 * Fields that an upstream wants otherwise than its protocol says: its provider declares them, and they are changed as the
 * request is written, so that nothing is parsed twice. The provider's changes win over those of the caller's bytes.
 */
export function withRewrite(changes: JsonChanges, rewrite: JsonChanges | undefined): JsonChanges {
  if (rewrite === undefined) return changes;
  return {
    set: { ...changes.set, ...rewrite.set },
    remove: [...(changes.remove ?? []), ...(rewrite.remove ?? [])],
  };
}

/** The same for a body that is not written yet. */
export function rewriteRecord(wire: JsonRecord, rewrite: JsonChanges | undefined): JsonRecord {
  if (rewrite === undefined) return wire;
  for (const [name, text] of Object.entries(rewrite.set ?? {})) wire[name] = JSON.parse(text);
  for (const name of rewrite.remove ?? []) delete wire[name];
  return wire;
}

/** The same for a form, whose values are text. */
export function formTexts({ set = {} }: JsonChanges): Record<string, string> {
  return Object.fromEntries(
    Object.entries(set).map(([name, text]) => {
      const value: unknown = JSON.parse(text);
      return [name, typeof value === 'string' ? value : text];
    }),
  );
}
