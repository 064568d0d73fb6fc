// The generate-content-style endpoints in the OpenAPI document. https://ai.google.dev/api/generate-content
import { knownFields } from '../../../protocols/gemini-generate-content/client/read-generation.ts';
import { countFields } from '../../../protocols/gemini-generate-content/count-tokens.ts';
import {
  configFields,
  contentFields,
  MAX_CHOICES,
  turnFields,
} from '../../../protocols/gemini-generate-content/wire.ts';
import { batchFields, embedFields } from '../../../protocols/gemini-embeddings/wire.ts';
import { bodyFrom } from '../from-fields.ts';
import {
  any,
  type Components,
  count,
  type Descriptions,
  either,
  flag,
  integer,
  list,
  map,
  must,
  number,
  object,
  parameter,
  ref,
  text,
  whole,
  words,
} from '../schema.ts';

const SPELLING = 'Names may also be written in snake_case, once each.';
const BETA = '/v1beta/models/{model}';

const contentNotes = {
  model: 'The model of the path, if at all',
  contents: { about: 'The conversation', schema: list(ref('Content'), undefined, { minItems: 1 }) },
  systemInstruction: { about: 'What the model is to do', schema: either(undefined, text(), ref('Content')) },
  tools: {
    about: 'What the model may call; one alone may stand for a list of one',
    schema: either(undefined, list(ref('ContentTool')), ref('ContentTool')),
  },
  toolConfig: {
    about: 'Which tool to call',
    schema: object({
      functionCallingConfig: object({
        mode: text('AUTO, ANY, NONE or VALIDATED'),
        allowedFunctionNames: list(text()),
        streamFunctionCallArguments: flag(),
      }),
    }),
  },
  generationConfig: { about: 'Everything that decides how the answer is made', schema: ref('GenerationConfig') },
  safetySettings: {
    about: 'What the provider blocks',
    schema: either(undefined, list(ref('SafetySetting')), ref('SafetySetting')),
  },
  cachedContent: 'A prompt that the provider keeps',
  labels: { about: 'Passed on', schema: map() },
  serviceTier: 'Tier of the provider',
};

const body = bodyFrom({
  fields: contentFields,
  known: knownFields,
  required: ['contents'],
  about: SPELLING,
  notes: contentNotes,
});
const countBody = bodyFrom({
  fields: countFields,
  about: `\`contents\`, or a whole \`generateContentRequest\`. ${SPELLING}`,
  notes: {
    ...contentNotes,
    generateContentRequest: { about: 'A whole request instead of its fields', schema: ref('GenerateContentRequest') },
  },
});

const modality = list(object({ modality: text(), tokenCount: count() }));
const embedding = whole({ values: list(number()) });

export const components: Components = {
  GenerateContentRequest: body,
  GenerationConfig: bodyFrom({
    fields: configFields,
    notes: {
      maxOutputTokens: { about: 'Most output tokens', least: 1 },
      candidateCount: { about: 'How many answers', least: 1, most: MAX_CHOICES },
      temperature: 'Sampling temperature',
      topP: 'Nucleus sampling',
      topK: 'Sampling among the k likeliest tokens',
      seed: 'Seed of the sampling',
      presencePenalty: 'Penalty for words that were used',
      frequencyPenalty: 'Penalty for words that were used often',
      stopSequences: { about: 'Stop sequences', schema: list(text()) },
      responseMimeType: 'text/plain or application/json',
      responseSchema: { about: 'OpenAPI schema of a JSON answer', schema: map() },
      responseJsonSchema: 'JSON Schema of a JSON answer',
      responseModalities: { about: 'TEXT, IMAGE, AUDIO', schema: list(text()) },
      responseLogprobs: 'Whether to report the likelihood of tokens',
      logprobs: 'Of how many of the likeliest tokens',
      thinkingConfig: {
        about: 'How much the model thinks, and whether it is shown',
        schema: object({ thinkingBudget: integer(), thinkingLevel: text(), includeThoughts: flag() }),
      },
      speechConfig: { about: 'Voice of spoken output', schema: map() },
      mediaResolution: 'How closely media are looked at',
    },
  }),
  Content: bodyFrom({
    fields: turnFields,
    required: ['parts'],
    notes: { role: 'user or model', parts: { about: 'What is said', schema: list(ref('ContentPart')) } },
  }),
  ContentPart: object({
    text: text(),
    thought: flag('The text is a thought'),
    thoughtSignature: text(),
    inlineData: object({ mimeType: text(), data: text('base64'), displayName: text() }),
    fileData: object({ mimeType: text(), fileUri: text(), displayName: text() }),
    functionCall: object({ id: text(), name: text(), args: map() }),
    functionResponse: object({ id: text(), name: text(), response: map(), parts: list(map()) }),
    executableCode: map(),
    codeExecutionResult: map(),
    videoMetadata: map(),
  }),
  ContentTool: object({
    functionDeclarations: list(
      object({
        name: must(text()),
        description: text(),
        parameters: map('OpenAPI schema'),
        parametersJsonSchema: any('JSON Schema'),
      }),
    ),
    googleSearch: map('A search of the provider'),
    urlContext: map(),
    codeExecution: map(),
  }),
  SafetySetting: object({ category: text(), threshold: text() }),
  GenerateContentAnswer: object({
    responseId: text(),
    modelVersion: text(),
    candidates: list(
      object({
        index: count(),
        content: object({ role: text(), parts: list(ref('ContentPart')) }),
        finishReason: text('STOP, MAX_TOKENS, SAFETY and others'),
        finishMessage: text(),
        citationMetadata: map(),
        groundingMetadata: map(),
        safetyRatings: list(map()),
        avgLogprobs: number(),
        logprobsResult: map(),
      }),
    ),
    promptFeedback: map(),
    usageMetadata: object({
      promptTokenCount: count(),
      cachedContentTokenCount: count(),
      candidatesTokenCount: count(),
      thoughtsTokenCount: count(),
      toolUsePromptTokenCount: count(),
      totalTokenCount: count(),
      promptTokensDetails: modality,
      candidatesTokensDetails: modality,
      cacheTokensDetails: modality,
      trafficType: text(),
    }),
  }),
  EmbedContentRequest: bodyFrom({
    fields: embedFields,
    required: ['content'],
    about: SPELLING,
    notes: {
      model: 'The model of the path, if at all',
      content: { about: 'The text', schema: ref('Content') },
      taskType: 'What the vector is for, such as RETRIEVAL_QUERY',
      title: 'Of a document',
      outputDimensionality: 'Length of the vector',
    },
  }),
  NativeModel: object({
    name: must(text('models/ and the name')),
    displayName: must(text()),
    description: must(text()),
    outputTokenLimit: count(),
    supportedGenerationMethods: must(list(text())),
  }),
};

const question = { contents: [{ role: 'user', parts: [{ text: 'Say hello.' }] }] };
const answerExample = {
  candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'Hello.' }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 3, totalTokenCount: 12 },
};
const nativeModel = {
  name: 'models/gemini-example',
  displayName: 'gemini-example',
  description: 'gemini-example by google',
  supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
};

export const descriptions: Descriptions = {
  [`POST ${BETA}:generateContent`]: {
    operationId: 'generateContent',
    body: ref('GenerateContentRequest'),
    example: question,
    answer: ref('GenerateContentAnswer'),
    answerExample,
  },
  [`POST ${BETA}:streamGenerateContent`]: {
    operationId: 'streamGenerateContent',
    body: ref('GenerateContentRequest'),
    example: question,
    answer: list(ref('GenerateContentAnswer')),
    answerExample: [answerExample],
    event: ref('GenerateContentAnswer'),
    says: 'Events with alt=sse, else a JSON array that grows',
    query: [parameter('alt', words(['sse']), 'Server-sent events instead of a JSON array')],
  },
  [`POST ${BETA}:countTokens`]: {
    operationId: 'countContentTokens',
    body: countBody,
    example: question,
    answer: object({ totalTokens: must(count()), promptTokensDetails: modality, cachedContentTokenCount: count() }),
    answerExample: { totalTokens: 9 },
  },
  [`POST ${BETA}:embedContent`]: {
    operationId: 'embedContent',
    body: ref('EmbedContentRequest'),
    example: { content: { parts: [{ text: 'A text' }] } },
    answer: whole({ embedding: embedding }),
    answerExample: { embedding: { values: [0.1, -0.2] } },
  },
  [`POST ${BETA}:batchEmbedContents`]: {
    operationId: 'batchEmbedContents',
    body: bodyFrom({
      fields: batchFields,
      required: ['requests'],
      notes: {
        requests: {
          about: 'One for each vector',
          schema: list(ref('EmbedContentRequest'), undefined, { minItems: 1 }),
        },
      },
    }),
    example: { requests: [{ model: 'models/gemini-example', content: { parts: [{ text: 'A text' }] } }] },
    answer: whole({ embeddings: list(embedding) }),
    answerExample: { embeddings: [{ values: [0.1, -0.2] }] },
  },
  [`GET ${BETA}`]: { operationId: 'getNativeModel', answer: ref('NativeModel'), answerExample: nativeModel },
  'GET /v1beta/models': {
    operationId: 'listNativeModels',
    answer: whole({ models: list(ref('NativeModel')) }),
    answerExample: { models: [nativeModel] },
  },
};
