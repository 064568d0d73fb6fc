// The types that vendors publish for what they answer, by the name that tests use. `make-schemas.ts` reads this list with
// the compiler; nothing of it is left at run time.
import type { Anthropic } from '@anthropic-ai/sdk';
import type * as Google from '@google/genai';
import type OpenAI from 'openai';
import type { InputTokenCountResponse, ResponseItemList } from 'openai/resources/responses';
// The package exports its own spelling of the fields; the wire's is only here.
import type * as Cohere from '../../../../node_modules/cohere-ai/serialization/index.js';

interface Page<T> {
  object: 'list';
  data: T[];
  first_id?: string | null;
  last_id?: string | null;
  has_more: boolean;
}

interface AnthropicPage<T> {
  data: T[];
  first_id: string | null;
  last_id: string | null;
  has_more: boolean;
}

interface OpenaiError {
  error: OpenAI.ErrorObject;
}

interface GoogleError {
  error: { code: number; message: string; status: string; details?: object[] };
}

export interface PublishedTypes {
  ChatCompletion: OpenAI.Chat.ChatCompletion;
  ChatCompletionChunk: OpenAI.Chat.ChatCompletionChunk | OpenaiError;
  Completion: OpenAI.Completion;
  CompletionEvent: OpenAI.Completion | OpenaiError;
  Response: OpenAI.Responses.Response;
  ResponseStreamEvent: OpenAI.Responses.ResponseStreamEvent;
  ResponseItemList: ResponseItemList;
  CompactedResponse: OpenAI.Responses.CompactedResponse;
  InputTokenCountResponse: InputTokenCountResponse;
  CreateEmbeddingResponse: OpenAI.CreateEmbeddingResponse;
  ModerationCreateResponse: OpenAI.ModerationCreateResponse;
  ImagesResponse: OpenAI.ImagesResponse;
  ImageGenStreamEvent: OpenAI.ImageGenStreamEvent;
  ImageEditStreamEvent: OpenAI.ImageEditStreamEvent;
  AnyTranscription: OpenAI.Audio.Transcription | OpenAI.Audio.TranscriptionVerbose | OpenAI.Audio.TranscriptionDiarized;
  TranscriptionStreamEvent: OpenAI.Audio.TranscriptionStreamEvent;
  AnyTranslation: OpenAI.Audio.Translation | OpenAI.Audio.TranslationVerbose;
  Model: OpenAI.Model;
  ModelsPage: { object: 'list'; data: OpenAI.Model[] };
  FileObject: OpenAI.FileObject;
  FilesPage: Page<OpenAI.FileObject>;
  FileDeleted: OpenAI.FileDeleted;
  Batch: OpenAI.Batch;
  BatchesPage: Page<OpenAI.Batch>;
  Video: OpenAI.Video;
  VideosPage: Page<OpenAI.Video>;
  VideoDeleteResponse: OpenAI.VideoDeleteResponse;
  OpenaiError: OpenaiError;

  Message: Anthropic.Message;
  RawMessageStreamEvent: Anthropic.RawMessageStreamEvent | { type: 'ping' } | Anthropic.ErrorResponse;
  MessageTokensCount: Anthropic.MessageTokensCount;
  MessageBatch: Anthropic.Messages.MessageBatch;
  MessageBatchesPage: AnthropicPage<Anthropic.Messages.MessageBatch>;
  MessageBatchIndividualResponse: Anthropic.Messages.MessageBatchIndividualResponse;
  DeletedMessageBatch: Anthropic.Messages.DeletedMessageBatch;
  AnthropicModel: Anthropic.ModelInfo;
  AnthropicModelsPage: AnthropicPage<Anthropic.ModelInfo>;
  AnthropicError: Anthropic.ErrorResponse;

  GenerateContentResponse: Google.GenerateContentResponse;
  GenerateContentEvent: Google.GenerateContentResponse | GoogleError;
  GenerateContentArray: (Google.GenerateContentResponse | GoogleError)[];
  CountTokensResponse: Google.CountTokensResponse;
  GoogleModel: Google.Model;
  GoogleModelsPage: { models: Google.Model[]; nextPageToken?: string };
  EmbedContentResponse: { embedding: Google.ContentEmbedding };
  BatchEmbedContentsResponse: { embeddings: Google.ContentEmbedding[] };
  GoogleError: GoogleError;

  CohereError: { message: string; id?: string; error?: OpenAI.ErrorObject };
  V2ChatResponse: Cohere.V2ChatResponse.Raw;
  V2ChatStreamResponse: Cohere.V2ChatStreamResponse.Raw;
  EmbedByTypeResponse: Cohere.EmbedByTypeResponse.Raw;
  RerankResponse: Cohere.RerankResponse.Raw;
  V2RerankResponse: Cohere.V2RerankResponse.Raw;
}

export type PublishedName = keyof PublishedTypes;
