// POST /v1/chat/completions (spec 2.10, 4.5).
import { openaiChat, readChat } from '../../protocols/openai-chat/index.ts';
import { relayMaking } from '../../relay/stored/relay-making.ts';
import type { Endpoint } from '../endpoint.ts';
import { readWithFiles } from '../read-with-files.ts';

export const chatCompletions: Endpoint = async (dependencies, exchange) => {
  const body = await readWithFiles(dependencies, exchange);
  const read = () => readChat(body);
  await relayMaking(dependencies.relay, { ...exchange, endpoint: '/v1/chat/completions', protocol: openaiChat, read });
};
