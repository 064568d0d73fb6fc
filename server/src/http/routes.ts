// Every public path on one screen: method, path, how the token is sent (spec 4, 5), and who answers.
import type { CarrierStyle } from '../access/credentials.ts';
import { speak } from '../endpoints/audio/speech.ts';
import { transcribe } from '../endpoints/audio/transcriptions.ts';
import { translateAudio } from '../endpoints/audio/translations.ts';
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
import { chatCompletions } from '../endpoints/chat/chat-completions.ts';
import { completions } from '../endpoints/chat/completions.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { createFile } from '../endpoints/files/create-file.ts';
import { fileContent } from '../endpoints/files/file-content.ts';
import { deleteFile, getFile, listFiles } from '../endpoints/files/get-file.ts';
import { editImages } from '../endpoints/images/edits.ts';
import { generateImages } from '../endpoints/images/generations.ts';
import { varyImage } from '../endpoints/images/variations.ts';
import { getModel } from '../endpoints/models/get-model.ts';
import { listModels } from '../endpoints/models/list-models.ts';
import { getNativeModel, listNativeModels } from '../endpoints/models/list-native-models.ts';
import { cohereChatV2 } from '../endpoints/native-text/cohere-chat.ts';
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
import { realtime } from '../endpoints/realtime/realtime.ts';
import { quoteRequest } from '../endpoints/quote/quote.ts';
import { cohereEmbedV2 } from '../endpoints/vectors/cohere-embed.ts';
import { embeddings } from '../endpoints/vectors/embeddings.ts';
import { moderations } from '../endpoints/vectors/moderations.ts';
import { rerank, rerankV2 } from '../endpoints/vectors/rerank.ts';
import { createVideo } from '../endpoints/videos/create-video.ts';
import { deleteVideo } from '../endpoints/videos/delete-video.ts';
import { getGeneration } from '../endpoints/videos/get-generation.ts';
import { getVideo } from '../endpoints/videos/get-video.ts';
import { getKling, submitKling } from '../endpoints/videos/kling-videos.ts';
import { listVideos } from '../endpoints/videos/list-videos.ts';
import { remixVideo } from '../endpoints/videos/remix-video.ts';
import { submitGeneration } from '../endpoints/videos/submit-generation.ts';
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
const NO_CALL = new RegExp(`^(?!.*${CALL_OF_MODEL.source})`);

export const publicRoutes: PublicRoute[] = [
  {
    method: 'POST',
    path: '/v1/chat/completions',
    carrier: 'compatible',
    endpoint: chatCompletions,
    summary: 'Chat completion, whole or streamed',
  },
  {
    method: 'POST',
    path: '/v1/completions',
    carrier: 'compatible',
    endpoint: completions,
    summary: 'Completion of a prompt, whole or streamed',
  },
  {
    method: 'POST',
    path: '/v1/responses',
    carrier: 'compatible',
    endpoint: responses,
    summary: 'Response, whole or streamed',
  },
  {
    method: 'POST',
    path: '/v1/responses/input_tokens',
    carrier: 'compatible',
    endpoint: countResponseTokens,
    summary: 'How many tokens the input of a response has',
  },
  {
    method: 'POST',
    path: '/v1/responses/compact',
    carrier: 'compatible',
    endpoint: compactResponse,
    summary: 'A conversation in fewer words, made by a provider that can',
  },
  {
    method: 'GET',
    path: '/v1/responses/*',
    carrier: 'compatible',
    endpoint: getResponse,
    fits: /^\/v1\/responses\/(?!(?:input_tokens|compact)$)[^/]+(?:\/input_items)?$/,
    summary: 'A stored response; with /input_items, what it was given',
  },
  {
    method: 'DELETE',
    path: '/v1/responses/*',
    carrier: 'compatible',
    endpoint: deleteResponse,
    fits: /^\/v1\/responses\/(?!(?:input_tokens|compact)$)[^/]+$/,
    summary: 'Deletes a stored response',
  },
  {
    method: 'POST',
    path: '/v1/responses/*',
    carrier: 'compatible',
    endpoint: cancelResponse,
    fits: /^\/v1\/responses\/[^/]+\/cancel$/,
    summary: 'With /cancel: stops a response that goes on in the background',
  },
  {
    method: 'POST',
    path: '/v1/messages',
    carrier: 'messages',
    endpoint: messages,
    summary: 'Message-style answer, whole or streamed',
  },
  {
    method: 'POST',
    path: '/v1/messages/count_tokens',
    carrier: 'messages',
    endpoint: countMessageTokens,
    summary: 'How many tokens a message-style prompt has',
  },
  {
    method: 'POST',
    path: '/v2/chat',
    carrier: 'compatible',
    endpoint: cohereChatV2,
    summary: "Chat in Cohere's shape, whole or streamed",
  },
  {
    method: 'POST',
    path: '/v2/embed',
    carrier: 'compatible',
    endpoint: cohereEmbedV2,
    summary: "Vectors of texts in Cohere's shape",
  },
  {
    method: 'POST',
    path: '/v1/embeddings',
    carrier: 'compatible',
    endpoint: embeddings,
    summary: 'Vectors of texts',
  },
  {
    method: 'POST',
    path: '/v1/moderations',
    carrier: 'compatible',
    endpoint: moderations,
    summary: 'Verdicts on texts',
  },
  {
    method: 'POST',
    path: '/v1/rerank',
    carrier: 'compatible',
    endpoint: rerank,
    summary: 'Documents in the order of their relevance',
  },
  {
    method: 'POST',
    path: '/v2/rerank',
    carrier: 'compatible',
    endpoint: rerankV2,
    summary: 'The same, where newer client libraries post',
  },
  {
    method: 'POST',
    path: '/rerank',
    carrier: 'compatible',
    endpoint: rerank,
    summary: 'The same, where some client libraries post',
  },
  {
    method: 'POST',
    path: '/v1/images/generations',
    carrier: 'compatible',
    endpoint: generateImages,
    summary: 'Images from a prompt, whole or streamed',
  },
  {
    method: 'POST',
    path: '/v1/images/edits',
    carrier: 'compatible',
    endpoint: editImages,
    summary: 'Images from images: a form with files, or JSON with addresses',
  },
  {
    method: 'POST',
    path: '/v1/images/variations',
    carrier: 'compatible',
    endpoint: varyImage,
    summary: 'Images like another: a form with one file',
  },
  {
    method: 'POST',
    path: '/v1/edits',
    carrier: 'compatible',
    endpoint: editImages,
    summary: 'Older path of /v1/images/edits',
  },
  {
    method: 'POST',
    path: '/v1/audio/speech',
    carrier: 'compatible',
    endpoint: speak,
    summary: 'Speech from text: audio bytes, or events',
  },
  {
    method: 'POST',
    path: '/v1/audio/transcriptions',
    carrier: 'compatible',
    endpoint: transcribe,
    summary: 'Text from audio in a form',
  },
  {
    method: 'POST',
    path: '/v1/audio/translations',
    carrier: 'compatible',
    endpoint: translateAudio,
    summary: 'English text from audio in a form',
  },
  {
    method: 'GET',
    path: '/v1/realtime',
    carrier: 'compatible',
    endpoint: realtime,
    summary: 'A realtime session, over a WebSocket',
  },
  {
    method: 'GET',
    path: '/v1/usage',
    carrier: 'compatible',
    endpoint: showUsage,
    summary: 'What is left of the token and its account, and what was spent',
  },
  {
    method: 'GET',
    path: '/v1/dashboard/billing/subscription',
    carrier: 'compatible',
    endpoint: showSubscription,
    summary: 'The limit of the token, as older OpenAI clients read it',
  },
  {
    method: 'GET',
    path: '/dashboard/billing/subscription',
    carrier: 'compatible',
    endpoint: showSubscription,
    summary: 'The same, where some clients ask',
  },
  {
    method: 'GET',
    path: '/v1/dashboard/billing/usage',
    carrier: 'compatible',
    endpoint: showBillingUsage,
    summary: 'What the token spent, as older OpenAI clients read it',
  },
  {
    method: 'GET',
    path: '/dashboard/billing/usage',
    carrier: 'compatible',
    endpoint: showBillingUsage,
    summary: 'The same, where some clients ask',
  },
  {
    method: 'GET',
    path: '/api/usage/token/',
    carrier: 'compatible',
    endpoint: showTokenUsage,
    summary: 'What is left of the token, in the shape of new-api',
  },
  {
    method: 'GET',
    path: '/api/usage/token',
    carrier: 'compatible',
    endpoint: showTokenUsage,
    summary: 'The same, without the slash',
  },
  {
    method: 'POST',
    path: '/v1/quote',
    carrier: 'compatible',
    endpoint: quoteRequest,
    summary: 'What a request would cost at most; charges nothing and calls nobody',
  },
  {
    method: 'POST',
    path: '/v1/video/generations',
    carrier: 'compatible',
    endpoint: submitGeneration,
    summary: 'Submits a video task',
  },
  {
    method: 'GET',
    path: '/v1/video/generations/:id',
    carrier: 'compatible',
    endpoint: getGeneration,
    summary: 'A video task in its wrapper',
  },
  {
    method: 'POST',
    path: '/v1/videos',
    carrier: 'compatible',
    endpoint: createVideo,
    summary: 'Submits a video task, as JSON or a form',
  },
  {
    method: 'GET',
    path: '/v1/videos',
    carrier: 'compatible',
    endpoint: listVideos,
    summary: "The account's video tasks",
  },
  {
    method: 'GET',
    path: '/v1/videos/:id',
    carrier: 'compatible',
    endpoint: getVideo,
    summary: 'A video task',
  },
  {
    method: 'GET',
    path: '/v1/videos/:id/content',
    carrier: 'compatible',
    endpoint: videoContent,
    summary: 'The video of a finished task, whole or a range',
  },
  {
    method: 'POST',
    path: '/v1/videos/:id/remix',
    carrier: 'compatible',
    endpoint: remixVideo,
    summary: 'Submits a finished video with another prompt, where its provider can',
  },
  {
    method: 'DELETE',
    path: '/v1/videos/:id',
    carrier: 'compatible',
    endpoint: deleteVideo,
    summary: 'Cancels a live video task, forgets a finished one',
  },
  {
    method: 'POST',
    path: '/kling/v1/videos/text2video',
    carrier: 'compatible',
    endpoint: submitKling('text2video'),
    summary: 'Submits a video task of a text, in the shape of Kling',
  },
  {
    method: 'GET',
    path: '/kling/v1/videos/text2video/:id',
    carrier: 'compatible',
    endpoint: getKling,
    summary: 'A video task in the envelope of Kling',
  },
  {
    method: 'POST',
    path: '/kling/v1/videos/image2video',
    carrier: 'compatible',
    endpoint: submitKling('image2video'),
    summary: 'Submits a video task of a picture, in the shape of Kling',
  },
  {
    method: 'GET',
    path: '/kling/v1/videos/image2video/:id',
    carrier: 'compatible',
    endpoint: getKling,
    summary: 'A video task in the envelope of Kling',
  },
  {
    method: 'POST',
    path: '/v1/files',
    carrier: 'compatible',
    endpoint: createFile,
    summary: 'Uploads a file',
  },
  {
    method: 'GET',
    path: '/v1/files',
    carrier: 'compatible',
    endpoint: listFiles,
    summary: "The account's files",
  },
  { method: 'GET', path: '/v1/files/:id', carrier: 'compatible', endpoint: getFile, summary: 'A file' },
  {
    method: 'GET',
    path: '/v1/files/:id/content',
    carrier: 'compatible',
    endpoint: fileContent,
    summary: 'The bytes of a file, whole or a range',
  },
  {
    method: 'DELETE',
    path: '/v1/files/:id',
    carrier: 'compatible',
    endpoint: deleteFile,
    summary: 'Deletes a file',
  },
  {
    method: 'POST',
    path: '/v1/batches',
    carrier: 'compatible',
    endpoint: postBatch,
    summary: 'Begins a batch from a file of lines',
  },
  {
    method: 'GET',
    path: '/v1/batches',
    carrier: 'compatible',
    endpoint: listBatches,
    summary: 'The batches of the account',
  },
  {
    method: 'GET',
    path: '/v1/batches/:id',
    carrier: 'compatible',
    endpoint: getBatch,
    summary: 'A batch',
  },
  {
    method: 'POST',
    path: '/v1/batches/:id/cancel',
    carrier: 'compatible',
    endpoint: cancelBatch,
    summary: 'Cancels a batch',
  },
  {
    method: 'POST',
    path: '/v1/messages/batches',
    carrier: 'messages',
    endpoint: postMessageBatch,
    summary: 'Begins a batch of message-style requests',
  },
  {
    method: 'GET',
    path: '/v1/messages/batches',
    carrier: 'messages',
    endpoint: listMessageBatches,
    summary: 'The message batches of the account',
  },
  {
    method: 'GET',
    path: '/v1/messages/batches/:id',
    carrier: 'messages',
    endpoint: getMessageBatch,
    summary: 'A message batch',
  },
  {
    method: 'POST',
    path: '/v1/messages/batches/:id/cancel',
    carrier: 'messages',
    endpoint: cancelMessageBatch,
    summary: 'Cancels a message batch',
  },
  {
    method: 'GET',
    path: '/v1/messages/batches/:id/results',
    carrier: 'messages',
    endpoint: messageBatchResults,
    summary: 'The results of a message batch, one line each',
  },
  {
    method: 'DELETE',
    path: '/v1/messages/batches/:id',
    carrier: 'messages',
    endpoint: deleteMessageBatch,
    summary: 'Deletes a message batch that has ended',
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
  {
    method: 'GET',
    path: '/v1beta/models/*',
    carrier: 'generate-content',
    endpoint: getNativeModel,
    fits: NO_CALL,
    summary: 'One model, generate-content style',
  },
  {
    method: 'POST',
    path: '/v1beta/models/*',
    carrier: 'generate-content',
    endpoint: callModel,
    fits: CALL_OF_MODEL,
    summary:
      'Behind the name of a model: :generateContent, :streamGenerateContent, :countTokens, :embedContent, :batchEmbedContents',
  },
  {
    method: 'POST',
    path: '/v1beta/interactions',
    carrier: 'generate-content',
    endpoint: createInteraction,
    summary: 'Interaction, whole, streamed or in the background; of providers that have them',
  },
  {
    method: 'GET',
    path: '/v1beta/interactions/:id',
    carrier: 'generate-content',
    endpoint: getInteraction,
    summary: 'A stored interaction',
  },
  {
    method: 'DELETE',
    path: '/v1beta/interactions/:id',
    carrier: 'generate-content',
    endpoint: deleteInteraction,
    summary: 'Deletes a stored interaction',
  },
  {
    method: 'POST',
    path: '/v1beta/interactions/:id/cancel',
    carrier: 'generate-content',
    endpoint: cancelInteraction,
    summary: 'Stops an interaction that goes on in the background',
  },
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
