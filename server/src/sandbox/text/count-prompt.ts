// What a prompt costs, by the same rule in every protocol: words, a little for every message, a flat sum for media.
import { countTokens } from './tokens.ts';

const tokensPerMessage = 4;
const tokensPerReply = 3;
const tokensPerMedia = 85;

export type CountedTurn = {
  texts: readonly string[];
  /** Images, documents, recordings. */
  media: number;
  /** Calls of tools and what they gave, which cost what their JSON costs. */
  values: readonly unknown[];
};

export function countPrompt(turns: readonly CountedTurn[], tools: readonly unknown[]): number {
  const toolTokens = tools.length === 0 ? 0 : countValue(tools);
  return turns.reduce((sum, turn) => sum + countTurn(turn), tokensPerReply + toolTokens);
}

function countTurn({ texts, media, values }: CountedTurn): number {
  const words = texts.reduce((sum, text) => sum + countTokens(text), 0);
  const structured = values.reduce<number>((sum, value) => sum + countValue(value), 0);
  return tokensPerMessage + words + media * tokensPerMedia + structured;
}

function countValue(value: unknown): number {
  return countTokens(JSON.stringify(value) ?? '');
}
