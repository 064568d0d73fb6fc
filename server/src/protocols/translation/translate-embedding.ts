// A request for vectors in one protocol, put to an upstream of another, and the answer the same way back.
import type { EmbeddingResult, EmbeddingWish } from '../../neutral/embedding.ts';
import type { RelayRequest, RequestTarget, UpstreamProtocol } from '../protocol.ts';
import { cannotBeTold } from './translate.ts';

/** Said to a client of the protocol. */
export interface EmbeddingClientSide {
  /** Where its callers say how many dimensions they want. */
  dimensionsPath: string;
  writeResult(result: EmbeddingResult, wish: EmbeddingWish): Buffer;
}

/** Said to an upstream of the protocol. */
export interface EmbeddingUpstreamSide {
  protocol: UpstreamProtocol;
  /** Names of the field that says how many dimensions are wanted. */
  dimensionsFields: readonly string[];
  writeWish(wish: EmbeddingWish, target: RequestTarget): Buffer;
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
  let dropped = wish.unknown;
  return {
    ...request,
    get dropped() {
      return dropped;
    },
    write(target) {
      const { dimensions, ...rest } = wish;
      const isFiltered = dimensions !== undefined && to.dimensionsFields.some((one) => target.dropFields.includes(one));
      dropped = isFiltered ? [...wish.unknown, from.dimensionsPath] : wish.unknown;
      if (strict && dropped.length > 0) throw cannotBeTold(dropped);
      return to.writeWish(isFiltered ? rest : wish, target);
    },
    writeAnswer(body) {
      const result = to.readResult(body);
      const fits = result?.vectors.length === wish.texts.length;
      return result !== undefined && fits ? from.writeResult(result, wish) : undefined;
    },
  };
}
