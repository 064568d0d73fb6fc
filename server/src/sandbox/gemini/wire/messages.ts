// The messages of a request as the service defines them: every field that it knows, and no other.
// https://ai.google.dev/api/generate-content
import { bytes, type Fields, flag, float, int32, listOf, message, oneOf, struct, text } from './field-types.ts';
import { generationConfig } from './generation-config.ts';
import { tool, toolConfig } from './tool-messages.ts';

/** A part is exactly one of these. */
export const partData = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
];

const blob = message('Blob', () => ({ mimeType: text, data: bytes, displayName: text }));

const part = message(
  'Part',
  () => ({
    text,
    inlineData: blob,
    fileData: message('FileData', () => ({ mimeType: text, fileUri: text, displayName: text })),
    functionCall: message('FunctionCall', () => ({ id: text, name: text, args: struct })),
    functionResponse: message('FunctionResponse', () => ({
      id: text,
      name: text,
      response: struct,
      parts: listOf(message('FunctionResponsePart', () => ({ inlineData: blob }))),
      willContinue: flag,
      scheduling: oneOf('FunctionResponse.Scheduling', 'SCHEDULING_UNSPECIFIED', 'SILENT', 'WHEN_IDLE', 'INTERRUPT'),
    })),
    executableCode: struct,
    codeExecutionResult: struct,
    toolCall: struct,
    toolResponse: struct,
    thought: flag,
    thoughtSignature: bytes,
    videoMetadata: message('VideoMetadata', () => ({ startOffset: text, endOffset: text, fps: float })),
    partMetadata: struct,
    mediaResolution: struct,
  }),
  partData,
);

const content = message('Content', () => ({ role: text, parts: listOf(part) }));

const safetySetting = message('SafetySetting', () => ({
  category: oneOf(
    'HarmCategory',
    'HARM_CATEGORY_UNSPECIFIED',
    'HARM_CATEGORY_HARASSMENT',
    'HARM_CATEGORY_HATE_SPEECH',
    'HARM_CATEGORY_SEXUALLY_EXPLICIT',
    'HARM_CATEGORY_DANGEROUS_CONTENT',
    'HARM_CATEGORY_CIVIC_INTEGRITY',
  ),
  threshold: oneOf(
    'SafetySetting.HarmBlockThreshold',
    'HARM_BLOCK_THRESHOLD_UNSPECIFIED',
    'BLOCK_LOW_AND_ABOVE',
    'BLOCK_MEDIUM_AND_ABOVE',
    'BLOCK_ONLY_HIGH',
    'BLOCK_NONE',
    'OFF',
  ),
}));

export const generateContentFields: Fields = {
  model: text,
  contents: listOf(content),
  systemInstruction: content,
  tools: listOf(tool),
  toolConfig,
  safetySettings: listOf(safetySetting),
  generationConfig,
  cachedContent: text,
  serviceTier: text,
  store: flag,
};

export const countTokensFields: Fields = {
  model: text,
  contents: listOf(content),
  generateContentRequest: message('GenerateContentRequest', () => generateContentFields),
};

export const embedContentFields: Fields = {
  model: text,
  content,
  taskType: oneOf(
    'TaskType',
    'TASK_TYPE_UNSPECIFIED',
    'RETRIEVAL_QUERY',
    'RETRIEVAL_DOCUMENT',
    'SEMANTIC_SIMILARITY',
    'CLASSIFICATION',
    'CLUSTERING',
    'QUESTION_ANSWERING',
    'FACT_VERIFICATION',
    'CODE_RETRIEVAL_QUERY',
  ),
  title: text,
  outputDimensionality: int32,
};

export const batchEmbedContentsFields: Fields = {
  model: text,
  requests: listOf(message('EmbedContentRequest', () => embedContentFields)),
};
