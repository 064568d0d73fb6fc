// A conversation in which nobody says anything, not even its instructions, is no question that could be answered. Nor is
// one whose user said last what the upstream cannot be sent.
import type { LostPart, Message, Part } from '../../neutral/conversation.ts';
import type { Generation } from '../../neutral/generation.ts';
import { nothingKnown, nothingSaid } from '../json/user-content.ts';
import type { UpstreamSide } from '../text-protocol.ts';

/** Turns of which nothing is known are left out; their parts are named as dropped. */
export function withoutLost(generation: Generation): Generation {
  const messages = generation.messages.filter(({ content, lost }) => content.length > 0 || lost === undefined);
  return messages.length === generation.messages.length ? generation : { ...generation, messages };
}

/** To be called when the request is written and all that was `dropped` is named. */
export function refuseSilence(
  { messages }: Generation,
  { lacksEmptyTexts }: Pick<UpstreamSide, 'lacksEmptyTexts'>,
  dropped: readonly string[],
): void {
  const lost = lostQuestion(messages, new Set(dropped));
  if (lost !== undefined) throw nothingKnown(lost);
  // Others are sent their empty texts.
  if (lacksEmptyTexts !== true) return;
  const parts = messages.flatMap(({ content }) => content);
  if (parts.some((part) => part.type !== 'text' || part.text !== '')) return;
  const path = messages[0]?.path ?? 'messages';
  // Only protocols that name it so have messages without any part.
  throw nothingSaid(parts[0]?.path ?? `${path}.content`);
}

/** The first part of the user's last turn, where nothing of the turn is sent. */
function lostQuestion(messages: readonly Message[], dropped: ReadonlySet<string>): LostPart | undefined {
  const last = messages.findLast(({ role }) => role === 'user' || role === 'tool');
  if (last === undefined || last.lost !== undefined) return last?.lost;
  // Results of tools are messages of their own, even where their caller has them in one with what the user says.
  const parts = messages.filter(({ path }) => path === last.path).flatMap(({ content }) => content);
  if (parts.some((part) => isSaid(part, dropped))) return undefined;
  const first = parts.find(({ type }) => type !== 'text');
  if (first === undefined) return undefined;
  return { path: first.path, reason: `has the kind "${first.type === 'media' ? first.kind : first.type}"` };
}

function isSaid(part: Part, dropped: ReadonlySet<string>): boolean {
  if (part.type === 'text') return part.text.trim() !== '';
  return part.type === 'tool-result' || (part.type === 'media' && !dropped.has(part.path));
}
