// Thoughts between words and calls. A message keeps each kind in a place of its own, so details of reasoning carry where
// they stood, and are put back there: a model that signed them wants them where they were.
import type { Citation, Part, ReasoningPart, TextPart, ToolCallPart } from '../../../neutral/conversation.ts';
import type { Position } from '../reasoning-details.ts';

export interface PlacedReasoning {
  part: ReasoningPart;
  position: Position;
}

export function placeReasoning(
  reasoning: readonly PlacedReasoning[],
  content: readonly Part[],
  calls: readonly ToolCallPart[],
): Part[] {
  const waiting = [...reasoning];
  const placed: Part[] = [];
  const release = (isDue: (position: Position) => boolean): void => {
    for (let next = waiting[0]; next !== undefined && isDue(next.position); next = waiting[0]) {
      placed.push(next.part);
      waiting.shift();
    }
  };
  let offset = 0;
  for (const part of content) {
    const isDue = ({ content, toolCalls }: Position): boolean => toolCalls === 0 && content <= offset;
    release(isDue);
    let rest = part;
    while (rest.type === 'text' && waiting[0]?.position.toolCalls === 0) {
      const at = waiting[0].position.content - offset;
      if (at >= rest.text.length) break;
      const [head, tail] = cut(rest, at);
      placed.push(head);
      offset += at;
      release(isDue);
      rest = tail;
    }
    placed.push(rest);
    if (rest.type === 'text') offset += rest.text.length;
  }
  for (const [index, call] of calls.entries()) {
    release(({ toolCalls }) => toolCalls <= index);
    placed.push(call);
  }
  return [...placed, ...waiting.map(({ part }) => part)];
}

function cut({ citations, cacheMark, ...part }: TextPart, at: number): [TextPart, TextPart] {
  const isBefore = ({ start = 0 }: Citation): boolean => start < at;
  const before = citations?.filter(isBefore) ?? [];
  const behind = citations?.filter((one) => !isBefore(one)).map((one) => moved(one, at)) ?? [];
  return [
    { ...part, text: part.text.slice(0, at), ...(before.length > 0 && { citations: before }) },
    {
      ...part,
      text: part.text.slice(at),
      ...(behind.length > 0 && { citations: behind }),
      ...(cacheMark !== undefined && { cacheMark }),
    },
  ];
}

function moved({ start = 0, end, ...citation }: Citation, by: number): Citation {
  return { ...citation, start: start - by, ...(end !== undefined && { end: end - by }) };
}
