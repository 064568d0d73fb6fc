// Which published type an answer of a path has: of the gateway's own paths, and of the sandbox's behind their prefixes.
import type { PublishedName } from './published-types.ts';

interface AnswerTypes {
  path: RegExp;
  method?: string;
  whole?: PublishedName;
  event?: PublishedName;
  error: PublishedName;
}

const OPENAI = { error: 'OpenaiError' } as const;
const ANTHROPIC = { error: 'AnthropicError' } as const;
const GOOGLE = { error: 'GoogleError' } as const;

/** The first that fits counts. */
const table: readonly AnswerTypes[] = [
  { path: /^\/v1\/chat\/completions$/, whole: 'ChatCompletion', event: 'ChatCompletionChunk', ...OPENAI },
  { path: /^\/v1\/completions$/, whole: 'Completion', event: 'CompletionEvent', ...OPENAI },
  { path: /^\/v1\/responses\/[^/]+\/input_items$/, whole: 'ResponseItemList', ...OPENAI },
  { path: /^\/v1\/responses\/input_tokens$/, whole: 'InputTokenCountResponse', ...OPENAI },
  { path: /^\/v1\/responses\/compact$/, whole: 'CompactedResponse', ...OPENAI },
  { path: /^\/v1\/responses\/[^/]+$/, method: 'DELETE', ...OPENAI },
  { path: /^\/v1\/responses(\/[^/]+(\/cancel)?)?$/, whole: 'Response', event: 'ResponseStreamEvent', ...OPENAI },
  { path: /^\/v1\/embeddings$/, whole: 'CreateEmbeddingResponse', ...OPENAI },
  { path: /^\/v1\/moderations$/, whole: 'ModerationCreateResponse', ...OPENAI },
  { path: /^\/v1\/images\/generations$/, whole: 'ImagesResponse', event: 'ImageGenStreamEvent', ...OPENAI },
  { path: /^\/v1\/(images\/)?edits$/, whole: 'ImagesResponse', event: 'ImageEditStreamEvent', ...OPENAI },
  { path: /^\/v1\/images\/variations$/, whole: 'ImagesResponse', ...OPENAI },
  { path: /^\/v1\/audio\/transcriptions$/, whole: 'AnyTranscription', event: 'TranscriptionStreamEvent', ...OPENAI },
  { path: /^\/v1\/audio\/translations$/, whole: 'AnyTranslation', ...OPENAI },
  { path: /^\/v1\/audio\/speech$/, ...OPENAI },
  { path: /^\/v1\/files$/, method: 'GET', whole: 'FilesPage', ...OPENAI },
  { path: /^\/v1\/files\/[^/]+\/content$/, ...OPENAI },
  { path: /^\/v1\/files\/[^/]+$/, method: 'DELETE', whole: 'FileDeleted', ...OPENAI },
  { path: /^\/v1\/files(\/[^/]+)?$/, whole: 'FileObject', ...OPENAI },
  { path: /^\/v1\/batches$/, method: 'GET', whole: 'BatchesPage', ...OPENAI },
  { path: /^\/v1\/batches(\/[^/]+(\/cancel)?)?$/, whole: 'Batch', ...OPENAI },
  { path: /^\/v1\/messages\/count_tokens$/, whole: 'MessageTokensCount', ...ANTHROPIC },
  { path: /^\/v1\/messages\/batches$/, method: 'GET', whole: 'MessageBatchesPage', ...ANTHROPIC },
  { path: /^\/v1\/messages\/batches\/[^/]+$/, method: 'DELETE', whole: 'DeletedMessageBatch', ...ANTHROPIC },
  { path: /^\/v1\/messages\/batches\/[^/]+\/results$/, ...ANTHROPIC },
  { path: /^\/v1\/messages\/batches(\/[^/]+(\/cancel)?)?$/, whole: 'MessageBatch', ...ANTHROPIC },
  { path: /^\/v1\/messages$/, whole: 'Message', event: 'RawMessageStreamEvent', ...ANTHROPIC },
  { path: /^\/anthropic\/v1\/models$/, whole: 'AnthropicModelsPage', ...ANTHROPIC },
  { path: /^\/anthropic\/v1\/models\/[^/]+$/, whole: 'AnthropicModel', ...ANTHROPIC },
  { path: /^\/v1beta\/models$/, whole: 'GoogleModelsPage', ...GOOGLE },
  { path: /^\/v1beta\/models\/[^/:]+$/, whole: 'GoogleModel', ...GOOGLE },
  { path: /:generateContent$/, whole: 'GenerateContentResponse', ...GOOGLE },
  { path: /:streamGenerateContent$/, whole: 'GenerateContentArray', event: 'GenerateContentEvent', ...GOOGLE },
  { path: /:countTokens$/, whole: 'CountTokensResponse', ...GOOGLE },
  { path: /:embedContent$/, whole: 'EmbedContentResponse', ...GOOGLE },
  { path: /:batchEmbedContents$/, whole: 'BatchEmbedContentsResponse', ...GOOGLE },
  { path: /^\/v1\/videos\/[^/]+\/content$/, ...OPENAI },
  { path: /^\/v1\/videos$/, method: 'GET', whole: 'VideosPage', ...OPENAI },
  { path: /^\/v1\/videos\/[^/]+$/, method: 'DELETE', whole: 'VideoDeleteResponse', ...OPENAI },
  { path: /^\/v1\/videos(\/[^/]+(\/remix)?)?$/, whole: 'Video', ...OPENAI },
  { path: /^\/v2\/embed$/, whole: 'EmbedByTypeResponse', error: 'CohereError' },
  { path: /^\/v2\/chat$/, whole: 'V2ChatResponse', event: 'V2ChatStreamResponse', error: 'CohereError' },
  { path: /^\/v2\/rerank$/, whole: 'V2RerankResponse', error: 'CohereError' },
  { path: /^\/v1\/rerank$/, whole: 'RerankResponse', ...OPENAI },
  { path: /^\/v1\/models$/, whole: 'ModelsPage', ...OPENAI },
  { path: /^\/v1\/models\/[^/]+$/, whole: 'Model', ...OPENAI },
];

/** Undefined where no vendor has published what is answered. */
export function answerTypesOf(method: string, path: string): AnswerTypes | undefined {
  const plain = path.replace(/^\/(openai|rerank|gemini)(?=\/v)/, '').replace(/^\/anthropic(?=\/v1\/messages)/, '');
  return table.find((types) => types.path.test(plain) && (types.method ?? method) === method);
}
