// A neutral result as a chat answer.
import type { Citation, Picture, ToolCallPart } from '../../../neutral/conversation.ts';
import type { GenerationResult } from '../../../neutral/generation.ts';
import type { JsonRecord } from '../../json/json-value.ts';
import { type CitedText, writeUrlCitation } from '../../openai-shared/citations.ts';
import type { AnswerContext } from '../../text-protocol.ts';
import { writeFinishReason } from '../finish-reason.ts';
import { writeCallSignature, writeReasoningDetail } from '../reasoning-details.ts';
import { writeUsage } from '../usage.ts';

export function writeResult(result: GenerationResult, context: AnswerContext): Buffer {
  const saysRefusal = result.content.some((part) => part.type === 'refusal');
  return Buffer.from(
    JSON.stringify({
      id: `chatcmpl-${context.id}`,
      object: 'chat.completion',
      created: context.created,
      model: context.generation.model,
      choices: [
        {
          index: 0,
          message: writeMessage(result),
          logprobs: null,
          finish_reason: writeFinishReason(result.finish.reason, saysRefusal),
        },
      ],
      ...(result.usage !== undefined && { usage: writeUsage(result.usage) }),
    }),
  );
}

function writeMessage({ content }: GenerationResult): JsonRecord {
  const refusals = content.filter((part) => part.type === 'refusal');
  const reasonings = content.filter((part) => part.type === 'reasoning');
  const calls = content.filter((part) => part.type === 'tool-call');
  const pictures = content.filter((part) => part.type === 'picture');
  const annotations: JsonRecord[] = [];
  const details: JsonRecord[] = [];
  let text: string | undefined;
  let toolCalls = 0;
  for (const part of content) {
    const offset = text?.length ?? 0;
    if (part.type === 'reasoning') details.push(...writeReasoningDetail(part, { content: offset, toolCalls }));
    if (part.type === 'tool-call') toolCalls++;
    if (part.type !== 'text') continue;
    const cited = { offset, length: part.text.length };
    annotations.push(...(part.citations ?? []).flatMap((citation) => writeAnnotation(citation, cited)));
    text = (text ?? '') + part.text;
  }
  const reasoning = reasonings.map(({ text }) => text).join('');
  const isSilent = text === undefined && (calls.length > 0 || refusals.length > 0);
  return {
    role: 'assistant',
    content: isSilent ? null : (text ?? ''),
    refusal: refusals.length === 0 ? null : refusals.map(({ text }) => text).join(''),
    ...(annotations.length > 0 && { annotations }),
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(details.length > 0 && { reasoning_details: details }),
    ...(calls.length > 0 && { tool_calls: calls.map(writeToolCall) }),
    ...(pictures.length > 0 && { images: pictures.map(writePicture) }),
  };
}

/** As gateways that offer drawing models over this protocol do; the vendor's own has no field for it. */
export function writePicture({ data, mediaType }: Picture): JsonRecord {
  return { type: 'image_url', image_url: { url: `data:${mediaType};base64,${data}` } };
}

function writeToolCall({ id, name, arguments: text, input, signature }: ToolCallPart): JsonRecord {
  if (input !== undefined) return { id, type: 'custom', custom: { name, input }, ...writeCallSignature(signature) };
  return { id, type: 'function', function: { name, arguments: text || '{}' }, ...writeCallSignature(signature) };
}

export function writeAnnotation(citation: Citation, cited: CitedText): JsonRecord[] {
  const url_citation = writeUrlCitation(citation, cited);
  return url_citation === undefined ? [] : [{ type: 'url_citation', url_citation }];
}
