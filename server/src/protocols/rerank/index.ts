// The rerank protocol that several vendors share: one request, their answers made one.
import { errorEvent, readComplaint } from '../openai-chat/error.ts';
import type { Protocol, RelayRequest } from '../protocol.ts';
import { wholeRequest } from '../stream/relay-bytes.ts';
import { writeJson } from '../json/write-json.ts';
import { readRerankAnswer } from './read-answer.ts';
import { readRerankRequest, type RerankRequest } from './read-request.ts';
import { fixedFields } from './wire.ts';
import { type RerankStyle, writeRerankAnswer } from './write-answer.ts';

export const rerank: Protocol = {
  name: 'rerank',
  operation: 'rerank',
  units: ['search', 'tokens', 'request'],
  answers: 'whole',
  readAnswer: readRerankAnswer,
  readComplaint,
  errorEvent,
};

/** Throws a GatewayError that names the field. */
export function readRerank(body: Buffer, style: RerankStyle): RelayRequest {
  const request = readRerankRequest(body);
  const { json, model } = request;
  const whole = wholeRequest(json, model);
  return {
    ...whole,
    inputBytes: whole.inputBytes + repeatedQueryBytes(request),
    write: (target) => writeJson({ json, model, fixed: fixedFields }, target),
    writeAnswer: (answer) => writeRerankAnswer(answer, request, style),
  };
}

/** Vendors that count tokens count the query with every document. */
function repeatedQueryBytes({ json, documentCount }: RerankRequest): number {
  const query = json.fields.get('query');
  return query === undefined ? 0 : (query.valueEnd - query.valueStart) * (documentCount - 1);
}
