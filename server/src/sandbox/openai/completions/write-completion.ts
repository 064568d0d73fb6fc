// Puts completions on the wire. https://platform.openai.com/docs/api-reference/completions/object
import type { StreamEvent } from '../../http/send-stream.ts';

export type CompletionChoice = { pieces: string[]; finishReason: string };

type Answer = { id: string; created: number; model: string; choices: CompletionChoice[]; usage: object | undefined };

export function writeCompletion({ id, created, model, choices, usage }: Answer): object {
  return {
    id,
    object: 'text_completion',
    created,
    model,
    choices: choices.map(({ pieces, finishReason }, index) => writeChoice(index, pieces.join(''), finishReason)),
    ...(usage === undefined ? {} : { usage }),
  };
}

function writeChoice(index: number, text: string, finishReason: string | null): object {
  return { text, index, logprobs: null, finish_reason: finishReason };
}

/** Choices take turns, token by token. */
export function* writeEvents(answer: Answer, includeUsage: boolean): Generator<StreamEvent> {
  const { id, created, model, choices, usage } = answer;
  const head = { id, object: 'text_completion', created, model };
  const reportsUsage = includeUsage && usage !== undefined;
  const emptyUsage = reportsUsage ? { usage: null } : {};
  const write = (choice: object): string => JSON.stringify({ ...head, choices: [choice], ...emptyUsage });

  const longest = choices.reduce((most, { pieces }) => Math.max(most, pieces.length), 0);
  for (let turn = 0; turn < longest; turn += 1) {
    for (const [index, { pieces }] of choices.entries()) {
      const text = pieces[turn];
      if (text !== undefined) yield { kind: 'content', data: write(writeChoice(index, text, null)) };
    }
  }
  for (const [index, { finishReason }] of choices.entries()) {
    yield { kind: 'closing', data: write(writeChoice(index, '', finishReason)) };
  }
  if (reportsUsage) yield { kind: 'closing', data: JSON.stringify({ ...head, choices: [], usage }) };
  yield { kind: 'done', data: '[DONE]' };
}
