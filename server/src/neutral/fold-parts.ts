// Parts of a stream become a whole result.
import type { OutputPart, GenerationResult } from './generation.ts';
import type { BlockStart, StreamPart } from './stream-part.ts';

/** undefined when the parts do not end with a finish. */
export function foldParts(parts: Iterable<StreamPart>): GenerationResult | undefined {
  const blocks = new Map<number, OutputPart>();
  let id: string | undefined;
  let usage: GenerationResult['usage'];
  for (const part of parts) {
    if (part.type === 'start') ({ id, usage } = part);
    else if (part.type === 'block-start') blocks.set(part.index, beginBlock(part.block));
    else if (part.type === 'picture') blocks.set(part.index, { type: 'picture', ...part.picture, path: '' });
    else if (part.type === 'finish')
      return { id, content: [...blocks.values()], finish: part.finish, usage: part.usage ?? usage };
    else if (part.type === 'error') return undefined;
    else addTo(blocks.get(part.index), part);
  }
  return undefined;
}

function beginBlock(block: BlockStart): OutputPart {
  if (block.type === 'tool-call') return { ...block, arguments: '', path: '' };
  return { ...block, text: '', path: '' };
}

function addTo(block: OutputPart | undefined, part: StreamPart): void {
  if (block === undefined || block.type === 'picture') return;
  if (part.type === 'delta') {
    if (block.type === 'tool-call') block.arguments += part.text;
    else block.text += part.text;
  }
  if (part.type === 'signature' && (block.type === 'tool-call' || block.type === 'reasoning'))
    block.signature = part.signature;
  if (part.type === 'citation' && block.type === 'text') (block.citations ??= []).push(part.citation);
}
