// The words of the sandbox: friendly, recognisable, and the same for the same request.
import { removeDirectives } from '../../directives.ts';
import { sampleFromSchema } from '../../text/sample-from-schema.ts';
import type { Call } from '../../protocol.ts';
import type { ChatRequest } from './chat-request.ts';
import { readText } from './messages.ts';

const excerptLength = 300;
const fillerWords = ['the', 'sandbox', 'keeps', 'talking', 'until', 'told', 'to', 'stop'];

type Conversation = Pick<ChatRequest, 'messages' | 'answerSchema'>;
/** What of a call decides its words. */
export type Asking = Pick<Call, 'behaviour' | 'unknownDirectives'>;

export function composeText(request: Conversation, { behaviour, unknownDirectives }: Asking): string {
  const { messages, answerSchema } = request;
  const last = messages.at(-1);
  const system = messages.find(({ role }) => role === 'system' || role === 'developer');
  const asked = removeDirectives(readText(last));
  const sentences = [
    asked === ''
      ? 'You sent no words.'
      : `${last?.role === 'tool' ? 'The tool answered' : 'You said'}: ${excerpt(asked)}`,
    'I am the sandbox, a simulated model: the same question always gets the same answer.',
    'Nothing left this machine, so try whatever you like.',
  ];
  if (system !== undefined) sentences.push(`I keep to your instructions: ${excerpt(readText(system))}`);
  if (behaviour.split) sentences.push('Zoë met a naïve 猫 in the café 🙂.');
  for (const written of unknownDirectives) sentences.push(`I know no directive [[${written}]].`);
  const text = sentences.join(' ');
  if (answerSchema === undefined) return text;
  const isOpen = Object.keys(answerSchema).length === 0;
  return JSON.stringify(isOpen ? { message: text, sandbox: true } : sampleFromSchema(answerSchema));
}

/** One token per word. */
export function composeLongTokens(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const word = fillerWords[index % fillerWords.length] ?? '';
    return index === 0 ? word : ` ${word}`;
  });
}

/** Exactly so many bytes. */
export function composeBigText(bytes: number): string {
  const line = `${fillerWords.join(' ')} `;
  return line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes);
}

function excerpt(text: string): string {
  if (text.length <= excerptLength) return /[.!?…。]$/.test(text) ? text : `${text}.`;
  // Never half of a surrogate pair.
  return `${text.slice(0, excerptLength).replace(/[\ud800-\udbff]$/, '')}…`;
}
