// A neutral conversation as chat messages. Results of tools can only be text here, so their images follow as the user's.
import type {
  MediaPart,
  Message,
  Part,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '../../../neutral/conversation.ts';
import type { Dropped } from '../../../neutral/dropped.ts';
import { type JsonRecord, writeDataUrl } from '../../json-value.ts';

export function writeMessages(messages: readonly Message[], dropped: Dropped): JsonRecord[] {
  const written: JsonRecord[] = [];
  /** Media of tool results wait until all results of the turn are said. */
  let waiting: JsonRecord[] = [];
  for (const message of messages) {
    for (const { cacheMark } of message.content) if (cacheMark !== undefined) dropped.path(cacheMark.path);
    if (message.role !== 'tool' && waiting.length > 0) {
      written.push({ role: 'user', content: waiting });
      waiting = [];
    }
    if (message.role === 'tool') waiting.push(...writeResults(message, written, dropped));
    else written.push(...writeMessage(message, dropped));
  }
  if (waiting.length > 0) written.push({ role: 'user', content: waiting });
  return written;
}

function writeMessage(message: Message, dropped: Dropped): JsonRecord[] {
  if (message.role === 'assistant') return [writeAssistant(message.content, dropped)];
  const role = message.role === 'system' && message.isDeveloper === true ? 'developer' : message.role;
  const content = writeContent(message.content, dropped);
  return content.length === 0 ? [] : [{ role, content }];
}

function writeAssistant(parts: readonly Part[], dropped: Dropped): JsonRecord {
  const calls = parts.filter((part) => part.type === 'tool-call');
  const refusal = parts.find((part) => part.type === 'refusal');
  const content = writeContent(
    parts.filter((part) => part.type === 'text' || part.type === 'media'),
    dropped,
  );
  return {
    role: 'assistant',
    content: content.length === 0 ? null : content,
    ...(refusal !== undefined && { refusal: refusal.text }),
    ...(calls.length > 0 && { tool_calls: calls.map(writeToolCall) }),
  };
}

function writeToolCall({ id, name, arguments: text }: ToolCallPart): JsonRecord {
  return { id, type: 'function', function: { name, arguments: text } };
}

/** Pushes one message per result; gives back the media that have no place in them. */
function writeResults(message: Message, written: JsonRecord[], dropped: Dropped): JsonRecord[] {
  const media: JsonRecord[] = [];
  for (const result of message.content) {
    if (result.type !== 'tool-result') continue;
    written.push({ role: 'tool', tool_call_id: result.callId, content: resultText(result) });
    const images = result.content.filter((part) => part.type === 'media');
    const parts = writeParts(images, dropped);
    if (parts.length === 0) continue;
    media.push({ type: 'text', text: `From the result of tool call ${result.callId}:` }, ...parts);
  }
  return media;
}

function resultText({ content, isError }: ToolResultPart): string {
  const text = content
    .filter((part) => part.type === 'text')
    .map((part) => part.text)
    .join('\n');
  if (isError) return `Error: ${text}`;
  return text === '' && content.length > 0 ? 'See the following message.' : text;
}

/** Plain text alone stays a string, which every compatible upstream takes. */
function writeContent(parts: readonly Part[], dropped: Dropped): JsonRecord[] | string {
  const [first] = parts;
  if (parts.length === 1 && first?.type === 'text') return first.text;
  return writeParts(parts, dropped);
}

function writeParts(parts: readonly Part[], dropped: Dropped): JsonRecord[] {
  return parts.flatMap((part): JsonRecord[] => {
    if (part.type === 'text') return writeText(part);
    if (part.type === 'media') {
      const media = writeMedia(part, dropped);
      if (media === undefined) dropped.path(part.path);
      return media ?? [];
    }
    return [];
  });
}

function writeText({ text }: TextPart): JsonRecord[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

function writeMedia(
  { kind, source, detail, filename, title, path }: MediaPart,
  dropped: Dropped,
): JsonRecord[] | undefined {
  if (title !== undefined) dropped.path(`${path}.title`);
  if (source.by === 'text') return [{ type: 'text', text: source.text }];
  if (kind === 'file') {
    const name = filename ?? 'document.pdf';
    if (source.by === 'id') return [{ type: 'file', file: { file_id: source.id } }];
    if (source.by === 'data') return [{ type: 'file', file: { filename: name, file_data: writeDataUrl(source) } }];
    return undefined;
  }
  if (source.by === 'id') return undefined;
  const url = source.by === 'url' ? source.url : writeDataUrl(source);
  if (kind === 'image') return [{ type: 'image_url', image_url: { url, ...(detail !== undefined && { detail }) } }];
  if (kind === 'video') return [{ type: 'video_url', video_url: { url } }];
  if (source.by !== 'data') return undefined;
  return [{ type: 'input_audio', input_audio: { data: source.data, format: audioFormat(source.mediaType) } }];
}

function audioFormat(mediaType: string): string {
  const format = mediaType.replace(/^audio\/(?:x-)?/, '').replace(/;.*$/, '');
  return format === 'mpeg' ? 'mp3' : format === 'wave' ? 'wav' : format;
}
