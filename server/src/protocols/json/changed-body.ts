// The caller's JSON with changed fields, ready to be sent: a large one as its pieces, since a copy of it costs as much as
// all else that is done for the request.
import type { JsonObject } from '../../shared/json-fields.ts';
import { type JsonChanges, rewriteInPieces } from '../../shared/json-rewrite.ts';
import type { UpstreamBody } from '../protocol.ts';

/** Below this a copy is cheaper than sending in pieces. */
const LARGE = 64 * 1024;

export function changedBody(json: JsonObject, changes: JsonChanges): UpstreamBody {
  const pieces = rewriteInPieces(json, changes);
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return only;
  if (json.bytes.length < LARGE) return Buffer.concat(pieces);
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return { contentType: 'application/json', length, open: () => pieces };
}
