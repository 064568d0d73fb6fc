// What thinking asks of the rest of a request, and the signatures by which the service knows its own thoughts again.
// https://docs.claude.com/en/docs/build-with-claude/extended-thinking
import { createHash } from 'node:crypto';
import { isObject, type WireObject } from '../../fields/refuse.ts';
import { Refusal } from '../../refusal.ts';
import { refuseAt } from '../checks.ts';
import type { Turn } from './turn.ts';

const documentation = 'https://docs.claude.com/en/docs/build-with-claude/extended-thinking';
const consult = `Please consult our documentation at ${documentation}`;

export type Thinking = { budget: number; isShown: boolean };

/** Undefined when the request asks for no thinking. */
export function readThinking(body: WireObject, turns: readonly Turn[]): Thinking | undefined {
  checkSignatures(turns);
  const { thinking, max_tokens: maxTokens } = body;
  if (!isObject(thinking) || thinking['type'] === 'disabled') return undefined;
  const isShown = thinking['display'] !== 'omitted';
  if (thinking['type'] === 'adaptive') return { budget: Infinity, isShown };
  const budget = Number(thinking['budget_tokens']);
  if (typeof maxTokens === 'number' && maxTokens <= budget) {
    refuse('`max_tokens` must be greater than `thinking.budget_tokens`.');
  }
  checkSampling(body);
  checkToolLoop(turns);
  return { budget, isShown };
}

export function signThought(thinking: string): string {
  return createHash('sha512').update(`the sandbox thought: ${thinking}`).digest('base64');
}

function checkSignatures(turns: readonly Turn[]): void {
  for (const { blocks, at } of turns) {
    for (const [index, block] of blocks.entries()) {
      if (block.type !== 'thinking' || block['signature'] === signThought(String(block['thinking']))) continue;
      refuseAt(`messages.${at}.content.${index}`, 'Invalid `signature` in `thinking` block');
    }
  }
}

function checkSampling({ temperature = 1, top_p: topP = 1, top_k: topK, tool_choice: choice }: WireObject): void {
  if (temperature !== 1) refuse('`temperature` may only be set to 1 when thinking is enabled.');
  if (Number(topP) < 0.95) refuse('`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled.');
  if (topK !== undefined) refuse('`top_k` must be unset when thinking is enabled.');
  if (isObject(choice) && (choice['type'] === 'any' || choice['type'] === 'tool')) {
    throw new Refusal({ status: 400, message: 'Thinking may not be enabled when tool_choice forces tool use.' });
  }
}

/** Between a call and the answer to its result the thoughts must be handed back. */
function checkToolLoop(turns: readonly Turn[]): void {
  const last = turns.at(-1);
  const isLoop = last?.role === 'user' && last.blocks.some(({ type }) => type === 'tool_result');
  const assistant = last?.role === 'assistant' ? last : isLoop ? turns.at(-2) : undefined;
  const first = assistant?.blocks[0]?.type;
  if (assistant === undefined || first === 'thinking' || first === 'redacted_thinking') return;
  const found = `Expected \`thinking\` or \`redacted_thinking\`, but found \`${first ?? 'nothing'}\`.`;
  const rule =
    'When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost ' +
    'set of `tool_use` and `tool_result` blocks). To avoid this requirement, disable `thinking`.';
  refuseAt(`messages.${assistant.at}.content.0.type`, `${found} ${rule} ${consult}`);
}

function refuse(message: string): never {
  throw new Refusal({ status: 400, message: `${message} ${consult}` });
}
