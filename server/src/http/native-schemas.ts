// Bodies and answers of the message-style and generate-content-style paths in the OpenAPI document.
import { z } from 'zod';

const message = z.looseObject({
  role: z.enum(['user', 'assistant']),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]),
});
const prompt = {
  model: z.string(),
  messages: z.array(message),
  system: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]).optional(),
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
};
const content = z.looseObject({
  role: z.enum(['user', 'model']).optional(),
  parts: z.array(z.looseObject({ text: z.string().optional() })),
});
const tokens = z.int().min(0);

export const messagesBody = z.looseObject({
  ...prompt,
  max_tokens: z.int().min(1),
  stream: z.boolean().optional(),
  temperature: z.number().min(0).max(1).optional(),
  stop_sequences: z.array(z.string()).optional(),
});
export const messagesAnswer = z.looseObject({
  id: z.string(),
  type: z.literal('message'),
  role: z.literal('assistant'),
  model: z.string(),
  content: z.array(z.looseObject({ type: z.string() })),
  stop_reason: z.string().nullable(),
  usage: z.looseObject({ input_tokens: tokens, output_tokens: tokens }),
});
export const countMessagesBody = z.looseObject(prompt);
export const countMessagesAnswer = z.looseObject({ input_tokens: tokens });

export const generateBody = z.looseObject({
  contents: z.array(content),
  systemInstruction: content.optional(),
  tools: z.array(z.looseObject({})).optional(),
  generationConfig: z
    .looseObject({
      maxOutputTokens: z.int().optional(),
      temperature: z.number().optional(),
      topP: z.number().optional(),
      stopSequences: z.array(z.string()).optional(),
    })
    .optional(),
});
export const generateAnswer = z.looseObject({
  candidates: z.array(z.looseObject({ content: content.optional(), finishReason: z.string().optional() })),
  usageMetadata: z.looseObject({ promptTokenCount: tokens, candidatesTokenCount: tokens.optional() }).optional(),
});
export const countContentBody = z.looseObject({ contents: z.array(content) });
export const countContentAnswer = z.looseObject({ totalTokens: tokens });

const embedding = z.looseObject({ values: z.array(z.number()) });
const embed = { content, outputDimensionality: z.int().optional(), taskType: z.string().optional() };
export const embedBody = z.looseObject(embed);
export const embedAnswer = z.looseObject({ embedding });
export const batchEmbedBody = z.looseObject({
  requests: z.array(z.looseObject({ model: z.string(), ...embed })),
});
export const batchEmbedAnswer = z.looseObject({ embeddings: z.array(embedding) });

const nativeModel = z.looseObject({
  name: z.string(),
  displayName: z.string(),
  supportedGenerationMethods: z.array(z.string()),
});
export const nativeModelAnswer = nativeModel;
export const nativeModelsAnswer = z.looseObject({ models: z.array(nativeModel) });
