// Neutral parts as content blocks of a request. What has no place is named and left out.
import type { CacheMark, Part, ReasoningPart, TextPart, ToolResultPart } from '../../../neutral/conversation.ts';
import type { Dropped } from '../../../neutral/dropped.ts';
import { type JsonRecord, readArguments } from '../../json/json-value.ts';
import { NAME } from '../wire.ts';
import type { ModelTraits } from './model-traits.ts';
import { writeMedia } from './write-media.ts';

export class ContentWriter {
  readonly #traits: ModelTraits;
  readonly #dropped: Dropped;
  #documents = 0;

  constructor(traits: ModelTraits, dropped: Dropped) {
    this.#traits = traits;
    this.#dropped = dropped;
  }

  write(parts: readonly Part[]): JsonRecord[] {
    return parts.flatMap((part) => [...this.#write(part), ...this.mark(part.cacheMark)]);
  }

  /** A block of its own behind what is marked. */
  mark(mark: CacheMark | undefined): JsonRecord[] {
    if (mark === undefined) return [];
    if (!this.#traits.takesCachePoints) {
      this.#dropped.path(mark.path);
      return [];
    }
    return [{ cachePoint: { type: 'default', ...(mark.ttl === '1h' && { ttl: mark.ttl }) } }];
  }

  #write(part: Part): JsonRecord[] {
    switch (part.type) {
      case 'text':
        return this.#writeText(part);
      case 'refusal':
        return part.text.trim() === '' ? [] : [{ text: part.text }];
      case 'media': {
        const block = writeMedia(part, this.#documents + 1, this.#dropped);
        if (block?.['document'] !== undefined) this.#documents += 1;
        return block === undefined ? [] : [block];
      }
      case 'tool-call':
        return [{ toolUse: { toolUseId: part.id, name: part.name, input: readArguments(part.arguments) } }];
      case 'tool-result':
        return [this.#writeResult(part)];
      case 'reasoning':
        return writeReasoning(part);
    }
  }

  /** Blank texts are refused upstream, and say nothing. */
  #writeText({ text, path, citations }: TextPart): JsonRecord[] {
    if (citations !== undefined && citations.length > 0) this.#dropped.path(`${path}.citations`);
    return text.trim() === '' ? [] : [{ text }];
  }

  #writeResult({ callId, content, isError }: ToolResultPart): JsonRecord {
    const inside = this.write(content);
    return {
      toolResult: {
        toolUseId: callId,
        content: inside.length === 0 ? [{ text: '(empty)' }] : inside,
        ...(isError && { status: 'error' }),
      },
    };
  }
}

/** Only what models behind this protocol thought can be shown to them again. */
function writeReasoning({ text, signature, sealed }: ReasoningPart): JsonRecord[] {
  if (sealed?.protocol === NAME) return [{ reasoningContent: { redactedContent: sealed.value } }];
  if (signature?.protocol !== NAME) return [];
  return [{ reasoningContent: { reasoningText: { text, signature: signature.value } } }];
}
