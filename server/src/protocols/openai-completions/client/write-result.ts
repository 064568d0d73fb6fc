// A neutral result as a completion. Only text has a place here: reasoning and tool calls are left out.
import type { FinishReason } from '../../../neutral/finish-reason.ts';
import type { GenerationResult } from '../../../neutral/generation.ts';
import type { JsonRecord } from '../../json/json-value.ts';
import { writeUsage } from '../../openai-chat/usage.ts';
import type { AnswerContext } from '../../text-protocol.ts';

export function writeResult({ content, finish, usage }: GenerationResult, context: AnswerContext): Buffer {
  const texts = content.flatMap((part) => (part.type === 'text' || part.type === 'refusal' ? [part.text] : []));
  const choice = writeChoice(texts.join(''), writeFinishReason(finish.reason));
  const reported = usage !== undefined && { usage: writeUsage(usage) };
  return Buffer.from(JSON.stringify({ ...completionHead(context), choices: [choice], ...reported }));
}

export function completionHead({ id, created, generation }: AnswerContext): JsonRecord {
  return { id: `cmpl-${id}`, object: 'text_completion', created, model: generation.model };
}

export function writeChoice(text: string, finishReason: string | null): JsonRecord {
  return { text, index: 0, logprobs: null, finish_reason: finishReason };
}

export function writeFinishReason(reason: FinishReason): string {
  if (reason === 'length') return 'length';
  return reason === 'content-filter' || reason === 'refusal' || reason === 'failed' ? 'content_filter' : 'stop';
}
