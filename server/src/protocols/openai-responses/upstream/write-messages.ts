// A neutral conversation as input items.
import type { Message, Part, TextPart, ToolResultPart } from '../../../neutral/conversation.ts';
import type { Dropped } from '../../../neutral/dropped.ts';
import { resultsFirst } from '../../../neutral/results-first.ts';
import type { JsonRecord } from '../../json/json-value.ts';
import { writeAnnotation } from '../../openai-shared/citations.ts';
import { dropCacheMarks } from '../../openai-shared/content.ts';
import { writeSealedItem } from '../reasoning.ts';
import { RESPONSES } from '../wire.ts';
import { writeContent, writeResultContent } from './write-content.ts';

export function writeMessages(messages: readonly Message[], dropped: Dropped): JsonRecord[] {
  return resultsFirst(messages).flatMap((message) =>
    message.role === 'assistant' ? writeAssistant(message, dropped) : writeMessage(message, dropped),
  );
}

function writeMessage(message: Message, dropped: Dropped): JsonRecord[] {
  const results = message.content.filter((part) => part.type === 'tool-result');
  const others = message.content.filter((part) => part.type !== 'tool-result');
  const items = results.map((result) => writeResult(result, dropped));
  const content = writeContent(others, dropped);
  if (content.length === 0) {
    // A user who says nothing still has the turn.
    return message.role === 'user' && results.length === 0 ? [{ role: 'user', content: '' }] : items;
  }
  if (message.role === 'tool') return [...items, { role: 'user', content }];
  return [...items, { role: message.isDeveloper === true ? 'developer' : message.role, content }];
}

/** Said, thought and called in the order in which it was. */
function writeAssistant({ content }: Message, dropped: Dropped): JsonRecord[] {
  dropCacheMarks(content, dropped);
  return content.flatMap((part): JsonRecord[] => writeItem(part, dropped));
}

function writeItem(part: Part, dropped: Dropped): JsonRecord[] {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [{ role: 'assistant', content: [writeText(part)] }];
    case 'refusal':
      return [{ role: 'assistant', content: [{ type: 'refusal', refusal: part.text }] }];
    case 'tool-call':
      return [{ type: 'function_call', call_id: part.id, name: part.name, arguments: part.arguments || '{}' }];
    case 'reasoning':
      // Only what an upstream of this protocol sealed itself can be shown to one.
      return part.signature?.protocol === RESPONSES ? [writeSealedItem(part.text, part.signature)] : [];
    default:
      dropped.path(part.path);
      return [];
  }
}

function writeText({ text, citations = [] }: TextPart): JsonRecord {
  return { type: 'output_text', text, annotations: citations.flatMap((citation) => writeAnnotation(citation, text)) };
}

function writeResult(result: ToolResultPart, dropped: Dropped): JsonRecord {
  dropCacheMarks([result], dropped);
  return { type: 'function_call_output', call_id: result.callId, output: writeResultContent(result, dropped) };
}
