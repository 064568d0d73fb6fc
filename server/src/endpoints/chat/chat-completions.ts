// POST /v1/chat/completions (spec 2.10, 4.5).
import { openaiChat, readChat } from '../../protocols/openai-chat/index.ts';
import { relayMaking } from '../../relay/stored/relay-making.ts';
import type { Endpoint } from '../endpoint.ts';

export const chatCompletions: Endpoint = async ({ relay }, exchange) => {
  const body = await exchange.readJson();
  const read = () => readChat(body);
  await relayMaking(relay, { ...exchange, endpoint: '/v1/chat/completions', protocol: openaiChat, read });
};
