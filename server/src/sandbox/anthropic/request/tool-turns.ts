// Every call of a tool is answered at the beginning of the very next turn, and nothing else is answered there.
import { refuseAt } from '../checks.ts';
import type { Block, Turn } from './turn.ts';

export function checkToolTurns(turns: readonly Turn[]): void {
  const known = new Set<unknown>();
  for (const [index, turn] of turns.entries()) {
    const calls = turn.blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
    for (const id of calls) {
      if (known.has(id)) refuseAt('messages', '`tool_use` ids must be unique');
      known.add(id);
    }
    if (turn.role === 'user') checkResults(turn, turns[index - 1]);
    if (calls.length > 0) checkAnswered(turn, calls, turns[index + 1]);
  }
}

function checkResults({ blocks, at }: Turn, previous: Turn | undefined): void {
  const asked = (previous?.blocks ?? []).filter(({ type }) => type === 'tool_use').map(({ id }) => id);
  const answered = new Set<unknown>();
  for (const [index, block] of blocks.entries()) {
    if (block.type !== 'tool_result') continue;
    const id = block['tool_use_id'];
    if (!asked.includes(id)) {
      const found = `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${String(id)}`;
      const rule = 'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.';
      refuseAt(`messages.${at}.content.${index}`, `${found}. ${rule}`);
    }
    if (answered.has(id)) {
      const rule = 'each tool_use must have a single result.';
      refuseAt(
        `messages.${at}.content.${index}`,
        `${rule} Found multiple \`tool_result\` blocks with id: ${String(id)}`,
      );
    }
    answered.add(id);
  }
}

function checkAnswered({ at }: Turn, calls: readonly unknown[], next: Turn | undefined): void {
  const answered = leadingResults(next?.blocks ?? []).map((block) => block['tool_use_id']);
  const open = calls.filter((id) => !answered.includes(id));
  if (open.length === 0) return;
  const found = `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}`;
  const rule = 'Each `tool_use` block must have a corresponding `tool_result` block in the next message.';
  refuseAt(`messages.${at}`, `${found}. ${rule}`);
}

/** Words may follow the results, but not stand before them. */
function leadingResults(blocks: readonly Block[]): readonly Block[] {
  const end = blocks.findIndex(({ type }) => type !== 'tool_result');
  return end === -1 ? blocks : blocks.slice(0, end);
}
