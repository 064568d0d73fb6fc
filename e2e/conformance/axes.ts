// The clients and upstreams of the grid.
import { chatClient } from './clients/chat.ts';
import { generateContentClient } from './clients/generate-content.ts';
import { messagesClient } from './clients/messages.ts';
import { responsesClient } from './clients/responses.ts';
import type { Caller, ClientDriver } from './driver.ts';
import { anthropicUpstream } from './upstreams/anthropic.ts';
import { chatUpstream } from './upstreams/chat.ts';
import { geminiUpstream } from './upstreams/gemini.ts';
import { responsesUpstream } from './upstreams/responses.ts';

export const upstreams = [chatUpstream, responsesUpstream, anthropicUpstream, geminiUpstream];

export function clientsOf(caller: Caller): ClientDriver[] {
  return [chatClient(caller), responsesClient(caller), messagesClient(caller), generateContentClient(caller)];
}
