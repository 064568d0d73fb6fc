// A neutral conversation as input items.
import type { MediaPart, Message, Part, ReasoningPart, ToolResultPart } from '../../../neutral/conversation.ts';
import type { Dropped } from '../../../neutral/dropped.ts';
import { type JsonRecord, writeDataUrl } from '../../json-value.ts';
import { RESPONSES } from '../wire.ts';

export function writeInput(messages: readonly Message[], dropped: Dropped): JsonRecord[] {
  return messages.flatMap((message) => {
    for (const { cacheMark } of message.content) if (cacheMark !== undefined) dropped.path(cacheMark.path);
    return message.role === 'assistant' ? writeAssistant(message, dropped) : writeMessage(message, dropped);
  });
}

function writeMessage(message: Message, dropped: Dropped): JsonRecord[] {
  const results = message.content.filter((part) => part.type === 'tool-result');
  const content = writeContent(message.content, dropped);
  const role = message.role === 'system' && message.isDeveloper === true ? 'developer' : message.role;
  return [
    ...results.map((result) => writeResult(result, dropped)),
    ...(content.length === 0 ? [] : [{ role: role === 'tool' ? 'user' : role, content }]),
  ];
}

/** Said, thought and called in the order in which it was. */
function writeAssistant({ content }: Message, dropped: Dropped): JsonRecord[] {
  return content.flatMap((part): JsonRecord[] => {
    switch (part.type) {
      case 'text':
        return part.text === '' ? [] : [{ role: 'assistant', content: [{ type: 'output_text', text: part.text }] }];
      case 'refusal':
        return [{ role: 'assistant', content: [{ type: 'refusal', refusal: part.text }] }];
      case 'tool-call':
        return [{ type: 'function_call', call_id: part.id, name: part.name, arguments: part.arguments }];
      case 'reasoning':
        return writeReasoning(part);
      default:
        dropped.path(part.path);
        return [];
    }
  });
}

/** Only what an upstream of this protocol sealed itself can be shown to one. */
function writeReasoning({ text, signature }: ReasoningPart): JsonRecord[] {
  if (signature?.protocol !== RESPONSES) return [];
  const mark = signature.value.indexOf(':');
  const id = signature.value.slice(0, Math.max(0, mark));
  const summary = text === '' ? [] : [{ type: 'summary_text', text }];
  const sealed = signature.value.slice(mark + 1);
  return [{ type: 'reasoning', ...(id !== '' && { id }), summary, encrypted_content: sealed }];
}

function writeResult({ callId, content, isError }: ToolResultPart, dropped: Dropped): JsonRecord {
  const onlyText = content.every((part) => part.type === 'text');
  const said = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  const text = isError ? `Error: ${said}` : said;
  const parts = onlyText
    ? text
    : [...(isError ? [{ type: 'input_text', text: 'Error:' }] : []), ...writeContent(content, dropped)];
  return { type: 'function_call_output', call_id: callId, output: parts };
}

function writeContent(parts: readonly Part[], dropped: Dropped): JsonRecord[] {
  return parts.flatMap((part): JsonRecord[] => {
    if (part.type === 'text') return part.text === '' ? [] : [{ type: 'input_text', text: part.text }];
    if (part.type !== 'media') return [];
    const media = writeMedia(part, dropped);
    if (media === undefined) dropped.path(part.path);
    return media ?? [];
  });
}

function writeMedia(
  { kind, source, detail, filename, title, path }: MediaPart,
  dropped: Dropped,
): JsonRecord[] | undefined {
  if (title !== undefined) dropped.path(`${path}.title`);
  if (source.by === 'text') return [{ type: 'input_text', text: source.text }];
  if (kind === 'image') {
    if (source.by === 'id') return [{ type: 'input_image', file_id: source.id, detail }];
    return [
      {
        type: 'input_image',
        image_url: source.by === 'url' ? source.url : writeDataUrl(source),
        detail: detail ?? 'auto',
      },
    ];
  }
  if (kind === 'file') {
    if (source.by === 'id') return [{ type: 'input_file', file_id: source.id }];
    if (source.by === 'url') return [{ type: 'input_file', file_url: source.url }];
    return [{ type: 'input_file', filename: filename ?? 'document.pdf', file_data: writeDataUrl(source) }];
  }
  if (kind === 'audio' && source.by === 'data') {
    const format = source.mediaType === 'audio/mpeg' ? 'mp3' : source.mediaType.replace(/^audio\/(?:x-)?/, '');
    return [{ type: 'input_audio', input_audio: { data: source.data, format } }];
  }
  return undefined;
}
