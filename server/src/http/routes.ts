// Every public path on one screen: method, path, how the token is sent (spec 4, 5), and who answers.
import type { CarrierStyle } from '../access/credentials.ts';
import { chatCompletions } from '../endpoints/chat/chat-completions.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { getModel } from '../endpoints/models/get-model.ts';
import { listModels } from '../endpoints/models/list-models.ts';
import { listNativeModels } from '../endpoints/models/list-native-models.ts';

export interface PublicRoute {
  method: 'GET' | 'POST' | 'DELETE';
  /** `*` stands for the rest of the path: model names hold slashes. */
  path: string;
  carrier: CarrierStyle;
  endpoint: Endpoint;
  summary: string;
}

export const publicRoutes: PublicRoute[] = [
  {
    method: 'POST',
    path: '/v1/chat/completions',
    carrier: 'compatible',
    endpoint: chatCompletions,
    summary: 'Chat completion, whole or streamed',
  },
  {
    method: 'GET',
    path: '/v1/models',
    carrier: 'compatible',
    endpoint: listModels,
    summary: 'Models available to this token',
  },
  { method: 'GET', path: '/v1/models/*', carrier: 'compatible', endpoint: getModel, summary: 'One model' },
  {
    method: 'GET',
    path: '/v1beta/models',
    carrier: 'generate-content',
    endpoint: listNativeModels,
    summary: 'Models available to this token, generate-content style',
  },
];
