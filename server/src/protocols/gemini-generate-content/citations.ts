// Sources of an answer, both directions. Places in the text are counted in bytes on this wire, in characters elsewhere.
import type { Citation } from '../../neutral/conversation.ts';
import { asCount, asList, asRecord, asText, type JsonRecord } from '../json/json-value.ts';

/** From a candidate's grounding and citations; `text` is what it has said. */
export function readCitations(candidate: JsonRecord, text: string): Citation[] {
  return [...readGrounding(asRecord(candidate['groundingMetadata']) ?? {}, text), ...readCited(candidate, text)];
}

function readGrounding(grounding: JsonRecord, text: string): Citation[] {
  const sources = asList(grounding['groundingChunks']).map(readSource);
  const supports = asList(grounding['groundingSupports']);
  if (supports.length === 0) return sources.flatMap((source) => source ?? []);
  return supports.flatMap((one) => {
    const support = asRecord(one) ?? {};
    const segment = asRecord(support['segment']) ?? {};
    const span = readSpan(segment, text);
    return asList(support['groundingChunkIndices']).flatMap((index) => {
      const source = sources[asCount(index) ?? -1];
      return source === undefined ? [] : [{ ...source, ...span }];
    });
  });
}

function readSource(value: unknown): Citation | undefined {
  const chunk = asRecord(value) ?? {};
  const source = asRecord(chunk['web'] ?? chunk['retrievedContext'] ?? chunk['maps']) ?? {};
  const url = asText(source['uri']);
  const title = asText(source['title']);
  const quote = asText(source['text']);
  if (url === undefined && title === undefined) return undefined;
  return {
    ...(url !== undefined && { url }),
    ...(title !== undefined && { title }),
    ...(quote !== undefined && { quote }),
  };
}

function readCited(candidate: JsonRecord, text: string): Citation[] {
  const reported = asRecord(candidate['citationMetadata']) ?? {};
  return asList(reported['citations'] ?? reported['citationSources']).flatMap((one) => {
    const source = asRecord(one) ?? {};
    const read = readSource({ web: source });
    return read === undefined ? [] : [{ ...read, ...readSpan(source, text) }];
  });
}

/** A place that is not in the text is none. */
function readSpan({ startIndex, endIndex }: JsonRecord, text: string): Pick<Citation, 'start' | 'end'> {
  const bytes = Buffer.from(text);
  const end = asCount(endIndex);
  const start = asCount(startIndex) ?? 0;
  if (end === undefined || start > end || end > bytes.length) return {};
  const characters = (to: number): number => bytes.toString('utf8', 0, to).length;
  return { start: characters(start), end: characters(end) };
}

export interface CitedText {
  text: string;
  citations: readonly Citation[];
  /** Position among the parts of the answer. */
  partIndex?: number;
  /** Bytes of the answer's text before this one. */
  offset?: number;
}

/** undefined when nothing is cited. */
export function writeGrounding(texts: readonly CitedText[]): JsonRecord | undefined {
  const chunks: JsonRecord[] = [];
  const supports = texts.flatMap(({ text, citations, partIndex, offset = 0 }) =>
    citations.flatMap(({ url, title, start = 0, end = text.length }): JsonRecord[] => {
      if (url === undefined) return [];
      const known = chunks.findIndex(({ web }) => asRecord(web)?.['uri'] === url);
      const index =
        known === -1 ? chunks.push({ web: { uri: url, ...(title !== undefined && { title }) } }) - 1 : known;
      const bytes = (to: number): number => offset + Buffer.byteLength(text.slice(0, to));
      const segment = {
        ...(partIndex !== undefined && partIndex > 0 && { partIndex }),
        startIndex: bytes(start),
        endIndex: bytes(end),
        text: text.slice(start, end),
      };
      return [{ segment, groundingChunkIndices: [index] }];
    }),
  );
  return chunks.length === 0 ? undefined : { groundingChunks: chunks, groundingSupports: supports };
}
