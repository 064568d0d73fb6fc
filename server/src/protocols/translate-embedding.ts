// A request for vectors in one protocol, put to an upstream of another, and the answer the same way back.
import { invalidRequest } from '../errors/gateway-error.ts';
import type { EmbeddingResult, EmbeddingWish } from '../neutral/embedding.ts';
import type { Protocol, RelayRequest } from './protocol.ts';

/** Said to a client of the protocol. */
export interface EmbeddingClientSide {
  writeResult(result: EmbeddingResult, wish: EmbeddingWish): Buffer;
}

/** Said to an upstream of the protocol. */
export interface EmbeddingUpstreamSide {
  protocol: Protocol;
  writeWish(wish: EmbeddingWish, upstreamModel: string): Buffer;
  /** undefined when the bytes are not an answer of this protocol. */
  readResult(body: Buffer): EmbeddingResult | undefined;
}

export interface EmbeddingTranslation {
  from: EmbeddingClientSide;
  to: EmbeddingUpstreamSide;
  /** The caller would rather be refused than lose a field. */
  strict: boolean;
}

/** undefined when the request is none for vectors. */
export function translateEmbedding(
  request: RelayRequest,
  { from, to, strict }: EmbeddingTranslation,
): RelayRequest | undefined {
  const wish = request.readEmbedding?.();
  if (wish === undefined) return undefined;
  return {
    ...request,
    dropped: wish.unknown,
    write({ upstreamModel }) {
      if (strict && wish.unknown.length > 0) throw cannotBeTold(wish.unknown);
      return to.writeWish(wish, upstreamModel);
    },
    writeAnswer(body) {
      const result = to.readResult(body);
      const fits = result?.vectors.length === wish.texts.length;
      return result !== undefined && fits ? from.writeResult(result, wish) : undefined;
    },
  };
}

function cannotBeTold(paths: readonly string[]): Error {
  const names = paths.map((path) => `'${path}'`).join(', ');
  return invalidRequest(
    `The provider of this model has no place for ${names}. Leave it out, or do without x-tollgate-strict.`,
    paths[0] ?? '',
  );
}
