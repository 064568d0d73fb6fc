// How an operator's tests ask upstreams, as several kinds of them are asked; and the list of models of the compatible protocol.
import { readComplaint } from '../protocols/openai-chat/error.ts';
import { openaiChat, readChat } from '../protocols/openai-chat/index.ts';
import { openaiEmbeddings, readEmbedding } from '../protocols/openai-embeddings/index.ts';
import { parseRecord } from '../protocols/json/json-value.ts';
import { type ModelList, readModelPage } from './model-list.ts';
import type { Provider, TestCall, TestLook } from './provider.ts';

/** A look at a list, which only a valid key gets. */
export function listLook(look: TestLook['look'], list: string, readComplaint: TestLook['readComplaint']): TestLook {
  return { look, readComplaint, isAnswer: (body) => Array.isArray(parseRecord(body)?.[list]) };
}

export const chatTest: TestCall = {
  protocol: openaiChat,
  request: (model) =>
    readChat(Buffer.from(JSON.stringify({ model, messages: [{ role: 'user', content: 'ping' }], max_tokens: 1 }))),
};

/** `path` of the list of models. */
export function compatibleTests(path: ModelList['path']): Pick<Provider, 'test' | 'otherTests' | 'look' | 'models'> {
  const look = listLook(path, 'data', readComplaint);
  return {
    test: chatTest,
    otherTests: {
      embeddings: {
        protocol: openaiEmbeddings,
        request: (model) => readEmbedding(Buffer.from(JSON.stringify({ model, input: 'ping' }))),
      },
      // An image or a file of audio is no cheap call.
      media: look,
    },
    look,
    models: { path, readComplaint, read: readModelPage({ list: 'data', id: 'id' }) },
  };
}
