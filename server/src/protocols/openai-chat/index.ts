// The chat completions protocol: nothing but the list of its parts.
import type { Protocol, RelayRequest } from '../protocol.ts';
import { errorEvent, readComplaint } from './error.ts';
import { readChatRequest } from './read-request.ts';
import { readWholeAnswer } from './read-usage.ts';
import { ChatStreamReader } from './relay-stream.ts';
import { writeChatRequest } from './write-request.ts';

export const openaiChat: Protocol = {
  name: 'openai-chat',
  operation: 'chat',
  units: ['tokens', 'request'],
  answers: 'whole',
  readAnswer: readWholeAnswer,
  readComplaint,
  errorEvent,
};

/** Throws a GatewayError that names the field. */
export function readChat(body: Buffer): RelayRequest {
  const request = readChatRequest(body);
  return {
    ...request,
    write: (target) => writeChatRequest(request, target),
    readStream: () => new ChatStreamReader(request.asksUsage, request.choices),
  };
}
