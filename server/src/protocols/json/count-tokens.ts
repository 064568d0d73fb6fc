// A prompt that is counted without an answer to it: the same request, of which only the size is reported.
import type { Operation, Protocol } from '../protocol.ts';
import { asCount, parseRecord } from './json-value.ts';

/** undefined when the bytes are no such answer. */
export function readTokenCount(body: Buffer, field = 'input_tokens'): number | undefined {
  return asCount(parseRecord(body)?.[field]);
}

/** `field` holds the count in an answer. */
export function countsOnly(protocol: Protocol, operation: Operation, field: string): Protocol {
  return {
    ...protocol,
    operation,
    readAnswer: (body) =>
      readTokenCount(body, field) === undefined ? undefined : { usage: undefined, hasError: false, outputBytes: 0 },
  };
}
