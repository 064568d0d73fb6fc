// A request for vectors in one protocol, put to an upstream of another, and the answer the same way back.
import type { EmbeddingResult, EmbeddingRequest } from '../../neutral/embedding.ts';
import type { RelayRequest, RequestTarget, UpstreamProtocol } from '../protocol.ts';
import { cannotBeTranslated } from './translate.ts';

/** Said to a client of the protocol. */
export interface EmbeddingClientSide {
  /** Where its callers say how many dimensions they want. */
  dimensionsPath: string;
  /** `id` is one for the answer, unique. */
  writeResult(result: EmbeddingResult, asked: EmbeddingRequest, id: string): Buffer;
}

/** Said to an upstream of the protocol. */
export interface EmbeddingUpstreamSide {
  protocol: UpstreamProtocol;
  /** Names of the field that says how many dimensions are wanted. */
  dimensionsFields: readonly string[];
  writeEmbeddingRequest(asked: EmbeddingRequest, target: RequestTarget): Buffer;
  /** undefined when the bytes are not an answer of this protocol. */
  readResult(body: Buffer): EmbeddingResult | undefined;
}

export interface EmbeddingTranslation {
  from: EmbeddingClientSide;
  to: EmbeddingUpstreamSide;
  /** The caller would rather be refused than lose a field. */
  strict: boolean;
  /** Unique, letters and digits only: the answer's where it has one. */
  id: string;
}

/** undefined when the request is none for vectors. */
export function translateEmbedding(
  request: RelayRequest,
  { from, to, strict, id }: EmbeddingTranslation,
): RelayRequest | undefined {
  const asked = request.readEmbedding?.();
  if (asked === undefined) return undefined;
  let dropped = asked.unknown;
  return {
    ...request,
    get dropped() {
      return dropped;
    },
    write(target) {
      const { dimensions, ...rest } = asked;
      const isFiltered = dimensions !== undefined && to.dimensionsFields.some((one) => target.dropFields.includes(one));
      dropped = isFiltered ? [...asked.unknown, from.dimensionsPath] : asked.unknown;
      if (strict && dropped.length > 0) throw cannotBeTranslated(dropped);
      return to.writeEmbeddingRequest(isFiltered ? rest : asked, target);
    },
    writeAnswer(body) {
      const result = to.readResult(body);
      const fits = result?.vectors.length === asked.texts.length;
      return result !== undefined && fits ? from.writeResult(result, asked, id) : undefined;
    },
  };
}
