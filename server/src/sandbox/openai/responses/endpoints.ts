// The paths of responses, around the memory that they share.
import type { Endpoint } from '../../protocol.ts';
import { compact, countInput } from './conversations.ts';
import { createResponse } from './create-response.ts';
import { createResponseMemory } from './response-memory.ts';
import { cancelResponse, deleteResponse, getResponse, listInputItems } from './stored-responses.ts';

const one = /^\/v1\/responses\/[^/]+$/;

export function createResponsesEndpoints(): Endpoint[] {
  const memory = createResponseMemory();
  return [
    { method: 'POST', path: /^\/v1\/responses$/, answer: (call) => createResponse(call, memory) },
    { method: 'POST', path: /^\/v1\/responses\/input_tokens$/, answer: (call) => countInput(call, memory) },
    { method: 'POST', path: /^\/v1\/responses\/compact$/, answer: (call) => compact(call, memory) },
    { method: 'GET', path: one, answer: (call) => getResponse(call, memory) },
    { method: 'DELETE', path: one, answer: (call) => deleteResponse(call, memory) },
    {
      method: 'POST',
      path: /^\/v1\/responses\/[^/]+\/cancel$/,
      takes: 'nothing',
      answer: (call) => cancelResponse(call, memory),
    },
    { method: 'GET', path: /^\/v1\/responses\/[^/]+\/input_items$/, answer: (call) => listInputItems(call, memory) },
  ];
}
