// A request that goes on from a kept response, as one that says everything itself: any upstream can be asked it.
import { asList, asRecord, asText, type JsonRecord, parseRecord } from '../../json/json-value.ts';
import type { KeptResponse } from './kept-response.ts';

/** The conversation up to the last of them, oldest first. Instructions are not part of it: each request has its own. */
export function conversationOf(responses: readonly KeptResponse[]): JsonRecord[] {
  return responses.flatMap(({ input, response }) =>
    [...input, ...recordsIn(asList(response['output']))].flatMap(repeated),
  );
}

/** The same as its items are listed: all that the last response was given. */
export function conversationInput(responses: readonly KeptResponse[]): JsonRecord[] {
  return responses.flatMap(({ input, response }, index) => {
    const output = index === responses.length - 1 ? [] : asList(response['output']);
    return [...input, ...recordsIn(output)];
  });
}

/** Ids are of the gateway's own making, which no upstream knows; reasoning that nobody proved cannot be shown again. */
function repeated(item: JsonRecord): JsonRecord[] {
  const { id, status: _, ...rest } = item;
  if (rest['type'] !== 'reasoning') return [rest];
  return asText(rest['encrypted_content']) === undefined ? [] : [{ ...rest, id }];
}

function recordsIn(values: readonly unknown[]): JsonRecord[] {
  return values.map(asRecord).filter((one) => one !== undefined);
}

export function continueFrom(body: Buffer, conversation: readonly JsonRecord[]): Buffer {
  const { previous_response_id: _, input, ...rest } = parseRecord(body) ?? {};
  const added = typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : asList(input);
  return Buffer.from(JSON.stringify({ ...rest, input: [...conversation, ...added] }));
}
