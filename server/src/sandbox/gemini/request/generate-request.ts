// Reads the body of a generate-content request. https://ai.google.dev/api/generate-content
import type { WireObject } from '../../fields/refuse.ts';
import { generateContentFields } from '../wire/messages.ts';
import { readMessage } from '../wire/read-message.ts';
import { refuseArgument } from '../wire/violations.ts';
import { checkContents, type Content } from './contents.ts';
import { type GenerationOptions, readGenerationOptions } from './generation-options.ts';
import { checkTools, type Tools } from './tools.ts';

export type GenerateRequest = Tools &
  GenerationOptions & {
    model: string;
    contents: Content[];
    instructions: string | undefined;
    usesCache: boolean;
    serviceTier: unknown;
    searches: boolean;
  };

export function readGenerateRequest(body: unknown, model: string): GenerateRequest {
  return checkGenerateRequest(readMessage(body, generateContentFields), model);
}

/** Takes a message that has been read already. */
export function checkGenerateRequest(message: WireObject, model: string): GenerateRequest {
  const { systemInstruction, tools, toolConfig, cachedContent = '' } = message;
  const usesCache = cachedContent !== '';
  if (usesCache && !/^cachedContents\/[\w-]+$/.test(String(cachedContent))) {
    refuseArgument(`Invalid CachedContent name: ${String(cachedContent).slice(0, 100)}`);
  }
  if (usesCache && [systemInstruction, tools, toolConfig].some((one) => one !== undefined)) {
    refuseArgument(
      'CachedContent can not be used with GenerateContent request setting system_instruction, tools or tool_config.',
    );
  }
  return {
    model,
    contents: checkContents(message['contents'], model),
    instructions: readInstructions(systemInstruction as WireObject | undefined),
    ...checkTools(tools, toolConfig),
    ...readGenerationOptions(message['generationConfig'], model),
    usesCache,
    serviceTier: message['serviceTier'],
    searches: ((tools ?? []) as WireObject[]).some(({ googleSearch }) => googleSearch !== undefined),
  };
}

function readInstructions(content: WireObject | undefined): string | undefined {
  const parts = (content?.['parts'] ?? []) as WireObject[];
  const texts = parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  return texts.length === 0 ? undefined : texts.join('\n');
}
