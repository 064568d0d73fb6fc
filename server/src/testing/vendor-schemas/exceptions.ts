// Where the published types are wrong, or say less than real answers have. docs/lab/vendor-types.md is this list as a page.
import type { ProblemKind } from './find-problems.ts';

export interface Exception {
  /** Types and fields, as `find-problems.ts` names them. */
  schemaPaths: readonly string[];
  kind: ProblemKind;
  why: string;
}

export const exceptions: readonly Exception[] = [
  {
    schemaPaths: ['TextBlock.citations'],
    kind: 'missing',
    why: 'The type wants null or a list. Real answers leave it out where nothing is cited, and clients (the ai SDK) refuse null.',
  },
  {
    schemaPaths: ['Response.output_text'],
    kind: 'missing',
    why: 'The library adds it to what it has read; it is not on the wire.',
  },
  {
    schemaPaths: ['Response.usage', 'Response.user'],
    kind: 'null',
    why: "The type has no null. The vendor's own examples have it: usage until the response is done, user where none was given.",
  },
  {
    schemaPaths: ['Response.frequency_penalty', 'Response.presence_penalty', 'Response.store'],
    kind: 'extra',
    why: 'Real answers have them, and the Open Responses specification requires them.',
  },
  {
    schemaPaths: ['ResponseFunctionCallArgumentsDoneEvent.name'],
    kind: 'extra',
    why: 'Earlier versions of the document require it, and clients made from those read it.',
  },
  {
    schemaPaths: ['ResponseCustomToolCall.status'],
    kind: 'extra',
    why: 'Real answers have it; of the published types only that of a listed item does.',
  },
  {
    schemaPaths: ['ChatCompletionMessage.reasoning_content', 'ChatCompletionChunk.Choice.Delta.reasoning_content'],
    kind: 'extra',
    why: 'Where servers of this protocol show reasoning as words; the vendor shows none.',
  },
  {
    schemaPaths: ['ChatCompletionMessage.reasoning_details', 'ChatCompletionChunk.Choice.Delta.reasoning_details'],
    kind: 'extra',
    why: 'Where servers of this protocol put the signature of reasoning, so that it comes back with the next request.',
  },
  {
    schemaPaths: [
      'ChatCompletionMessageFunctionToolCall.extra_content',
      'ChatCompletionMessageCustomToolCall.extra_content',
      'ChatCompletionChunk.Choice.Delta.ToolCall.extra_content',
    ],
    kind: 'extra',
    why: "Where Google's own endpoint of this protocol puts the signature of a call.",
  },
  {
    schemaPaths: ['ChatCompletionChunk.Choice.Delta.annotations'],
    kind: 'extra',
    why: 'The type of a whole message has it, the type of a delta does not; real streams of search models have it.',
  },
  {
    schemaPaths: ['CompletionChoice.finish_reason', 'Completion.usage'],
    kind: 'null',
    why: 'One type stands for whole answers and events. Real events have null until the end, as those of chat completions.',
  },
  {
    schemaPaths: ['ChatCompletionChunk.object'],
    kind: 'value',
    why: "Azure's first event has empty texts; it is passed on as it comes.",
  },
  {
    schemaPaths: ['ChatCompletionChunk.prompt_filter_results'],
    kind: 'extra',
    why: "Azure's first event tells what its filter found in the prompt.",
  },
  {
    schemaPaths: ['TranscriptionVerbose.task'],
    kind: 'extra',
    why: 'Real answers say which of the two tasks it was.',
  },
  {
    schemaPaths: ['Translation.usage', 'TranslationVerbose.usage', 'TranslationVerbose.task'],
    kind: 'extra',
    why: 'The sandbox reports of a translation what the published type has of a transcription only.',
  },
  {
    schemaPaths: [
      'GenerateContentResponseUsageMetadata.serviceTier',
      'CountTokensResponse.promptTokensDetails',
      'google:Model.supportedGenerationMethods',
      'EmbedContentResponse.usageMetadata',
      'BatchEmbedContentsResponse.usageMetadata',
    ],
    kind: 'extra',
    why: 'The reference of the REST interface has it; the library does not hand it on.',
  },
  {
    schemaPaths: ['Embedding.embedding'],
    kind: 'type',
    why: 'The type has numbers only; where base64 is asked for it is a text.',
  },
  {
    schemaPaths: ['ImageGenCompletedEvent.usage', 'ImageEditCompletedEvent.usage'],
    kind: 'missing',
    why: 'Servers of this protocol report none for models that are not counted in tokens.',
  },
  {
    schemaPaths: [
      'Model.supported_endpoint_types',
      'ModelsPage.success',
      'V2RerankResponse.Raw.model',
      'V2RerankResponse.Raw.usage',
    ],
    kind: 'extra',
    why: "The gateway's own, as its specification has it.",
  },
  {
    schemaPaths: ['Video.task_id', 'Video.url', 'Video.video_url', 'Video.metadata'],
    kind: 'extra',
    why: "The gateway's own, as its specification has it.",
  },
  {
    schemaPaths: ['Video.size', 'Video.seconds'],
    kind: 'null',
    why: 'Models of other vendors have no such size, or tell the length at the end; the field is there all the same.',
  },
  {
    schemaPaths: ['Video.size'],
    kind: 'value',
    why: 'Models of other vendors have other sizes.',
  },
  {
    schemaPaths: ['RerankResponse.Raw.model', 'RerankResponse.Raw.usage'],
    kind: 'extra',
    why: 'Clients of the other vendor of this path read them.',
  },
  {
    schemaPaths: ['content', 'tool_plan', 'tool_calls', 'citations'].map(
      (field) => `ChatMessageStartEventDeltaMessage.Raw.${field}`,
    ),
    kind: 'extra',
    why: "The vendor's own streams begin with an empty message that has all of them.",
  },
];
