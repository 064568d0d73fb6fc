// Results of tools directly behind the calls they answer, as several protocols want them.
import type { Message } from './conversation.ts';

/** What else is said before the assistant's next turn follows the results. */
export function resultsFirst(messages: readonly Message[]): Message[] {
  const ordered: Message[] = [];
  /** Where the next result belongs; results without a call before them stay where they are. */
  let index: number | undefined;
  for (const message of messages) {
    if (message.role === 'tool' && index !== undefined) ordered.splice(index++, 0, message);
    else ordered.push(message);
    if (message.role === 'assistant') index = ordered.length;
  }
  return ordered;
}
