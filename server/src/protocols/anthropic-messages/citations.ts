// Citations, both directions. A text block is what its citations support, so they have no place inside it.
import type { Citation } from '../../neutral/conversation.ts';
import { asRecord, asText, type JsonRecord } from '../json/json-value.ts';

/** undefined for what says nothing about its source. */
export function readCitation(value: unknown): Citation | undefined {
  const reported = asRecord(value) ?? {};
  // A search result given by the caller has its `source`, a document only a title.
  const url = asText(reported['url']) ?? asText(reported['source']);
  const title = asText(reported['title']) ?? asText(reported['document_title']);
  const quote = asText(reported['cited_text']);
  if (url === undefined && title === undefined && quote === undefined) return undefined;
  return {
    ...(url !== undefined && { url }),
    ...(title !== undefined && { title }),
    ...(quote !== undefined && { quote }),
  };
}

/** The one kind that needs no document of the request; without an address there is no place for it. */
export function writeCitation({ url, title, quote }: Citation): JsonRecord | undefined {
  if (url === undefined) return undefined;
  return {
    type: 'web_search_result_location',
    url,
    title: title ?? null,
    cited_text: quote ?? '',
    encrypted_index: '',
  };
}
