// Citations of web pages, as the protocols of this family write them.
import type { Citation } from '../../neutral/conversation.ts';
import { asNumber, asRecord, asText, type JsonRecord, present } from '../json/json-value.ts';

/** None for anything that has no address. */
export function readUrlCitation(value: unknown): Citation[] {
  const wire = asRecord(value) ?? {};
  const url = asText(wire['url']);
  if (url === undefined) return [];
  return [
    present<Citation>({
      url,
      title: asText(wire['title']),
      start: asNumber(wire['start_index']),
      end: asNumber(wire['end_index']),
    }),
  ];
}

/** The text that is cited for: where it begins among all that was said, and how long it is. */
export interface CitedText {
  offset: number;
  length: number;
}

/** An annotation of a text in a response, as a list of one or none. */
export function writeAnnotation(citation: Citation, text: string): JsonRecord[] {
  const written = writeUrlCitation(citation, { offset: 0, length: text.length });
  return written === undefined ? [] : [{ type: 'url_citation', ...written }];
}

/** Citations without an address have no place here. One that does not say where it belongs is for the whole text. */
export function writeUrlCitation(citation: Citation, { offset, length }: CitedText): JsonRecord | undefined {
  const { url, title = '', start = 0, end = length } = citation;
  if (url === undefined) return undefined;
  return { url, title, start_index: offset + start, end_index: offset + end };
}
