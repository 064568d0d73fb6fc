// Every public path on one screen: method, path, how the token is sent (spec 4, 5), and who answers.
import type { CarrierStyle } from '../access/credentials.ts';
import { showBillingUsage, showSubscription } from '../endpoints/balance/billing-dashboard.ts';
import { showTokenUsage } from '../endpoints/balance/token-usage.ts';
import { showUsage } from '../endpoints/balance/usage.ts';
import { cancelBatch, getBatch, listBatches, postBatch } from '../endpoints/batches/batches.ts';
import {
  cancelMessageBatch,
  deleteMessageBatch,
  getMessageBatch,
  listMessageBatches,
  messageBatchResults,
  postMessageBatch,
} from '../endpoints/batches/message-batches.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { createFile, deleteFile, fileContent, getFile, listFiles } from '../endpoints/files/files.ts';
import { getModel, listModels } from '../endpoints/models/models.ts';
import { getNativeModel, listNativeModels } from '../endpoints/models/list-native-models.ts';
import { callModel } from '../endpoints/native-text/generate-content.ts';
import {
  cancelInteraction,
  createInteraction,
  deleteInteraction,
  getInteraction,
} from '../endpoints/native-text/interactions.ts';
import { countMessageTokens, messages } from '../endpoints/native-text/messages.ts';
import { compactResponse, countResponseTokens } from '../endpoints/native-text/conversations.ts';
import { responses } from '../endpoints/native-text/responses.ts';
import { cancelResponse, deleteResponse, getResponse } from '../endpoints/native-text/stored-responses.ts';
import { editImages, relayForm, relayJson } from '../endpoints/relay-body.ts';
import { realtime } from '../endpoints/realtime/realtime.ts';
import { quoteRequest } from '../endpoints/quote/quote.ts';
import { createVideo, deleteVideo, getVideo, listVideos } from '../endpoints/videos/videos.ts';
import { getGeneration, submitGeneration } from '../endpoints/videos/generations.ts';
import { getKling, submitKling } from '../endpoints/videos/kling-videos.ts';
import { remixVideo } from '../endpoints/videos/remix-video.ts';
import { videoContent } from '../endpoints/videos/video-content.ts';

export interface PublicRoute {
  method: 'GET' | 'POST' | 'DELETE';
  /** `*` stands for the rest of the path: model names hold slashes. `:id` is one part of it. */
  path: string;
  carrier: CarrierStyle;
  endpoint: Endpoint;
  summary: string;
  /** Of the paths that the pattern takes, those that this method is really served at; all where it is absent. */
  fits?: RegExp;
  /** Another path for what is described elsewhere. */
  isAlias?: true;
}

const CALL_OF_MODEL = /:(?:generateContent|streamGenerateContent|countTokens|embedContent|batchEmbedContents)$/;
const ANY_CALL = /:[a-zA-Z]+$/;
const NO_CALL = new RegExp(`^(?!.*${CALL_OF_MODEL.source})`);

/**
 * Whether a path that the pattern takes, decoded, is one that this method is served at. Of calls of a model their endpoint
 * says which exist.
 */
export function servesPath({ fits }: PublicRoute, path: string): boolean {
  return fits === undefined || fits.test(path) || (fits === CALL_OF_MODEL && ANY_CALL.test(path));
}

/** A route of one style, by its method. */
function routesFor(carrier: CarrierStyle) {
  const by =
    (method: PublicRoute['method']) =>
    (path: string, endpoint: Endpoint, summary: string, fits?: RegExp): PublicRoute => ({
      method,
      path,
      carrier,
      endpoint,
      summary,
      ...(fits !== undefined && { fits }),
    });
  return { get: by('GET'), post: by('POST'), del: by('DELETE') };
}

const { get, post, del } = routesFor('compatible');
const message = routesFor('messages');
const native = routesFor('generate-content');

export const publicRoutes: PublicRoute[] = [
  post('/v1/chat/completions', relayJson('/v1/chat/completions'), 'Chat completion, whole or streamed'),
  post('/v1/completions', relayJson('/v1/completions'), 'Completion of a prompt, whole or streamed'),
  post('/v1/responses', responses, 'Response, whole or streamed'),
  post('/v1/responses/input_tokens', countResponseTokens, 'How many tokens the input of a response has'),
  post('/v1/responses/compact', compactResponse, 'A conversation in fewer words, made by a provider that can'),
  get(
    '/v1/responses/*',
    getResponse,
    'A stored response; with /input_items, what it was given',
    /^\/v1\/responses\/(?!(?:input_tokens|compact)$)[^/]+(?:\/input_items)?$/,
  ),
  del(
    '/v1/responses/*',
    deleteResponse,
    'Deletes a stored response',
    /^\/v1\/responses\/(?!(?:input_tokens|compact)$)[^/]+$/,
  ),
  post(
    '/v1/responses/*',
    cancelResponse,
    'With /cancel: stops a response that goes on in the background',
    /^\/v1\/responses\/[^/]+\/cancel$/,
  ),
  message.post('/v1/messages', messages, 'Message-style answer, whole or streamed'),
  message.post('/v1/messages/count_tokens', countMessageTokens, 'How many tokens a message-style prompt has'),
  post('/v2/chat', relayJson('/v2/chat'), "Chat in Cohere's shape, whole or streamed"),
  post('/v2/embed', relayJson('/v2/embed'), "Vectors of texts in Cohere's shape"),
  post('/v1/embeddings', relayJson('/v1/embeddings'), 'Vectors of texts'),
  post('/v1/moderations', relayJson('/v1/moderations'), 'Verdicts on texts'),
  post('/v1/rerank', relayJson('/v1/rerank'), 'Documents in the order of their relevance'),
  post('/v2/rerank', relayJson('/v2/rerank'), 'The same, where newer client libraries post'),
  post('/rerank', relayJson('/v1/rerank'), 'The same, where some client libraries post'),
  post('/v1/images/generations', relayJson('/v1/images/generations'), 'Images from a prompt, whole or streamed'),
  post('/v1/images/edits', editImages, 'Images from images: a form with files, or JSON with addresses'),
  post('/v1/images/variations', relayForm('/v1/images/variations'), 'Images like another: a form with one file'),
  post('/v1/edits', editImages, 'Older path of /v1/images/edits'),
  post('/v1/audio/speech', relayJson('/v1/audio/speech'), 'Speech from text: audio bytes, or events'),
  post('/v1/audio/transcriptions', relayForm('/v1/audio/transcriptions'), 'Text from audio in a form'),
  post('/v1/audio/translations', relayForm('/v1/audio/translations'), 'English text from audio in a form'),
  get('/v1/realtime', realtime, 'A realtime session, over a WebSocket'),
  get('/v1/usage', showUsage, 'What is left of the token and its account, and what was spent'),
  get(
    '/v1/dashboard/billing/subscription',
    showSubscription,
    'The limit of the token, as older OpenAI clients read it',
  ),
  get('/dashboard/billing/subscription', showSubscription, 'The same, where some clients ask'),
  get('/v1/dashboard/billing/usage', showBillingUsage, 'What the token spent, as older OpenAI clients read it'),
  get('/dashboard/billing/usage', showBillingUsage, 'The same, where some clients ask'),
  get('/api/usage/token/', showTokenUsage, 'What is left of the token, in the shape of new-api'),
  get('/api/usage/token', showTokenUsage, 'The same, without the slash'),
  post('/v1/quote', quoteRequest, 'What a request would cost at most; charges nothing and calls nobody'),
  post('/v1/video/generations', submitGeneration, 'Submits a video task'),
  get('/v1/video/generations/:id', getGeneration, 'A video task in its wrapper'),
  post('/v1/videos', createVideo, 'Submits a video task, as JSON or a form'),
  get('/v1/videos', listVideos, "The account's video tasks"),
  get('/v1/videos/:id', getVideo, 'A video task'),
  get('/v1/videos/:id/content', videoContent, 'The video of a finished task, whole or a range'),
  post('/v1/videos/:id/remix', remixVideo, 'Submits a finished video with another prompt, where its provider can'),
  del('/v1/videos/:id', deleteVideo, 'Cancels a live video task, forgets a finished one'),
  post(
    '/kling/v1/videos/text2video',
    submitKling('text2video'),
    'Submits a video task of a text, in the shape of Kling',
  ),
  get('/kling/v1/videos/text2video/:id', getKling, 'A video task in the envelope of Kling'),
  post(
    '/kling/v1/videos/image2video',
    submitKling('image2video'),
    'Submits a video task of a picture, in the shape of Kling',
  ),
  get('/kling/v1/videos/image2video/:id', getKling, 'A video task in the envelope of Kling'),
  post('/v1/files', createFile, 'Uploads a file'),
  get('/v1/files', listFiles, "The account's files"),
  get('/v1/files/:id', getFile, 'A file'),
  get('/v1/files/:id/content', fileContent, 'The bytes of a file, whole or a range'),
  del('/v1/files/:id', deleteFile, 'Deletes a file'),
  post('/v1/batches', postBatch, 'Begins a batch from a file of lines'),
  get('/v1/batches', listBatches, 'The batches of the account'),
  get('/v1/batches/:id', getBatch, 'A batch'),
  post('/v1/batches/:id/cancel', cancelBatch, 'Cancels a batch'),
  message.post('/v1/messages/batches', postMessageBatch, 'Begins a batch of message-style requests'),
  message.get('/v1/messages/batches', listMessageBatches, 'The message batches of the account'),
  message.get('/v1/messages/batches/:id', getMessageBatch, 'A message batch'),
  message.post('/v1/messages/batches/:id/cancel', cancelMessageBatch, 'Cancels a message batch'),
  message.get('/v1/messages/batches/:id/results', messageBatchResults, 'The results of a message batch, one line each'),
  message.del('/v1/messages/batches/:id', deleteMessageBatch, 'Deletes a message batch that has ended'),
  get('/v1/models', listModels, 'Models available to this token'),
  get('/v1/models/*', getModel, 'One model'),
  native.get('/v1beta/models', listNativeModels, 'Models available to this token, generate-content style'),
  native.get('/v1beta/models/*', getNativeModel, 'One model, generate-content style', NO_CALL),
  native.post(
    '/v1beta/models/*',
    callModel,
    'Behind the name of a model: :generateContent, :streamGenerateContent, :countTokens, :embedContent, :batchEmbedContents',
    CALL_OF_MODEL,
  ),
  native.post(
    '/v1beta/interactions',
    createInteraction,
    'Interaction, whole, streamed or in the background; of providers that have them',
  ),
  native.get('/v1beta/interactions/:id', getInteraction, 'A stored interaction'),
  native.del('/v1beta/interactions/:id', deleteInteraction, 'Deletes a stored interaction'),
  native.post(
    '/v1beta/interactions/:id/cancel',
    cancelInteraction,
    'Stops an interaction that goes on in the background',
  ),
  ...aliases(),
];

/** Other versions of generate-content that its clients ask for: one and the same here (contract-2 7). */
function aliases(): PublicRoute[] {
  const summary = 'The same as under /v1beta';
  const own = { carrier: 'compatible', summary, isAlias: true } as const;
  return [
    { ...own, method: 'GET', path: '/v1alpha/models', endpoint: listNativeModels },
    { ...own, method: 'GET', path: '/v1alpha/models/*', endpoint: getNativeModel, fits: NO_CALL },
    { ...own, method: 'POST', path: '/v1alpha/models/*', endpoint: callModel, fits: CALL_OF_MODEL },
    { ...own, method: 'POST', path: '/v1/models/*', endpoint: callModel, fits: CALL_OF_MODEL },
    ...['/v1alpha', '/v1'].flatMap((version): PublicRoute[] => [
      { ...own, method: 'POST', path: `${version}/interactions`, endpoint: createInteraction },
      { ...own, method: 'GET', path: `${version}/interactions/:id`, endpoint: getInteraction },
      { ...own, method: 'DELETE', path: `${version}/interactions/:id`, endpoint: deleteInteraction },
      { ...own, method: 'POST', path: `${version}/interactions/:id/cancel`, endpoint: cancelInteraction },
    ]),
  ];
}
