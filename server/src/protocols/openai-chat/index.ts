// The chat completions protocol: nothing but the list of its parts.
import type { TextProtocol } from '../protocol.ts';
import { readComplaint } from './error.ts';
import { type ChatRequest, readChatRequest } from './read-request.ts';
import { readWholeAnswer } from './read-usage.ts';
import { ChatStreamReader } from './relay-stream.ts';
import { writeChatRequest } from './write-request.ts';

export const openaiChat: TextProtocol<ChatRequest> = {
  name: 'openai-chat',
  readRequest: readChatRequest,
  writeRequest: writeChatRequest,
  readAnswer: readWholeAnswer,
  readStream: (request) => new ChatStreamReader(request.asksUsage),
  readComplaint,
  endMarker: Buffer.from('data: [DONE]\n\n'),
  errorEvent: (error) => Buffer.from(`data: ${JSON.stringify({ error })}\n\n`),
};
