// A conversation in which nobody says anything, not even its instructions, is no question that could be answered.
import type { Generation } from '../../neutral/generation.ts';
import { nothingSaid } from '../json/user-content.ts';
import type { UpstreamSide } from '../text-protocol.ts';

/** Throws for upstreams whose protocol has no empty text; the others are sent it. */
export function refuseSilence(
  { messages }: Generation,
  { lacksEmptyTexts }: Pick<UpstreamSide, 'lacksEmptyTexts'>,
): void {
  if (lacksEmptyTexts !== true) return;
  const parts = messages.flatMap(({ content }) => content);
  if (parts.some((part) => part.type !== 'text' || part.text !== '')) return;
  const path = messages[0]?.path ?? 'messages';
  // Only protocols that name it so have messages without any part.
  throw nothingSaid(parts[0]?.path ?? `${path}.content`);
}
