// The clients and upstreams of the grid.
import { chatClient } from './clients/chat.ts';
import { generateContentClient } from './clients/generate-content.ts';
import { messagesClient } from './clients/messages.ts';
import { responsesClient } from './clients/responses.ts';
import type { Caller, ClientDriver } from './driver.ts';
import { anthropicUpstream } from './upstreams/anthropic.ts';
import { azureUpstream } from './upstreams/azure.ts';
import { claudeOnBedrock, converseOnBedrock } from './upstreams/bedrock.ts';
import { chatUpstream } from './upstreams/chat.ts';
import { geminiUpstream } from './upstreams/gemini.ts';
import { responsesUpstream } from './upstreams/responses.ts';
import { vertexUpstream } from './upstreams/vertex.ts';

/** One of each protocol. */
export const upstreams = [chatUpstream, responsesUpstream, anthropicUpstream, geminiUpstream];

/** Those of the grid: the clouds have credentials, addresses and frames of their own. */
export const gridUpstreams = [...upstreams, azureUpstream, claudeOnBedrock, converseOnBedrock, vertexUpstream];

export function clientsOf(caller: Caller): ClientDriver[] {
  return [chatClient(caller), responsesClient(caller), messagesClient(caller), generateContentClient(caller)];
}
