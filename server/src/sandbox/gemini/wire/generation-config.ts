// How an answer is to be made, as the service defines it. https://ai.google.dev/api/generate-content#generationconfig
import { anyValue, flag, float, int32, listOf, message, oneOf, struct, text } from './field-types.ts';
import { schema } from './tool-messages.ts';

export const generationConfig = message('GenerationConfig', () => ({
  temperature: float,
  topP: float,
  topK: int32,
  maxOutputTokens: int32,
  stopSequences: listOf(text),
  candidateCount: int32,
  seed: int32,
  presencePenalty: float,
  frequencyPenalty: float,
  responseLogprobs: flag,
  logprobs: int32,
  responseMimeType: text,
  responseSchema: schema,
  responseJsonSchema: anyValue,
  responseModalities: listOf(
    oneOf('GenerationConfig.Modality', 'MODALITY_UNSPECIFIED', 'TEXT', 'IMAGE', 'AUDIO', 'VIDEO'),
  ),
  enableEnhancedCivicAnswers: flag,
  speechConfig: struct,
  imageConfig: struct,
  mediaResolution: text,
  thinkingConfig: message('ThinkingConfig', () => ({
    includeThoughts: flag,
    thinkingBudget: int32,
    thinkingLevel: oneOf(
      'ThinkingConfig.ThinkingLevel',
      'THINKING_LEVEL_UNSPECIFIED',
      'LOW',
      'MEDIUM',
      'HIGH',
      'MINIMAL',
    ),
  })),
}));
