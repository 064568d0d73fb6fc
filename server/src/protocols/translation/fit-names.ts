// Call ids and tool names as an upstream takes them, and back as the client knows them (contract-2 7). What fits stays; what
// does not is replaced, the same one always by the same, so that a conversation is sent in the same words every time.
import { hash } from 'node:crypto';
import type { Message, Part } from '../../neutral/conversation.ts';
import type { Generation, GenerationResult, Tool, ToolChoice } from '../../neutral/generation.ts';
import type { StreamPart } from '../../neutral/stream-part.ts';

/** What a name may be; `stray` finds a character that it may not have. */
export interface Alphabet {
  fits: RegExp;
  stray: RegExp;
  most: number;
}

export interface NameLimits {
  callIds: Alphabet;
  toolNames: Alphabet;
}

const WORD: Alphabet = { fits: /^[a-zA-Z0-9_-]{1,64}$/, stray: /[^a-zA-Z0-9_-]/g, most: 64 };

/** https://platform.openai.com/docs/api-reference/chat/create */
export const OPENAI_NAMES: NameLimits = { callIds: WORD, toolNames: WORD };
/** https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use */
export const ANTHROPIC_NAMES: NameLimits = {
  callIds: WORD,
  toolNames: { fits: /^[a-zA-Z0-9_-]{1,128}$/, stray: WORD.stray, most: 128 },
};
/** https://ai.google.dev/api/caching#FunctionDeclaration */
export const GEMINI_NAMES: NameLimits = {
  callIds: WORD,
  toolNames: { fits: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/, stray: /^[^a-zA-Z_]|[^a-zA-Z0-9_.:-]/g, most: 64 },
};

/** Ids of calls where an upstream of the client's own protocol limits their length alone: it may have made them itself. */
export const SHORT_IDS: Alphabet = { ...WORD, fits: /^.{1,64}$/s };
/** The same where it limits their characters too. */
export const WORD_IDS = WORD;

const HASH_LETTERS = 10;

/** The names of one request, and of the answers to it. */
export class FittedNames {
  readonly #tools: Fitting;
  readonly #calls: Fitting;
  readonly #generation: Generation;

  constructor(generation: Generation, { callIds, toolNames }: NameLimits) {
    this.#generation = generation;
    this.#tools = new Fitting(toolNames, namesOf(generation));
    this.#calls = new Fitting(callIds, idsOf(generation.messages));
  }

  /** As the upstream is to read it; the very same where everything fits. */
  get generation(): Generation {
    const generation = this.#generation;
    if (this.#tools.isIdle && this.#calls.isIdle) return generation;
    const { toolChoice } = generation.settings;
    return {
      ...generation,
      tools: generation.tools.map((tool): Tool => ({ ...tool, name: this.#tools.write(tool.name) })),
      messages: generation.messages.map((message): Message => ({
        ...message,
        content: message.content.map((part) => this.#part(part)),
      })),
      settings: {
        ...generation.settings,
        ...(toolChoice !== undefined && { toolChoice: this.#choice(toolChoice) }),
      },
    };
  }

  inResult(result: GenerationResult): GenerationResult {
    if (this.#tools.isIdle && this.#calls.isIdle) return result;
    const content = result.content.map((part) =>
      part.type === 'tool-call' ? { ...part, id: this.#calls.read(part.id), name: this.#tools.read(part.name) } : part,
    );
    return { ...result, content };
  }

  inPart(part: StreamPart): StreamPart {
    if (part.type !== 'block-start' || part.block.type !== 'tool-call') return part;
    const { id, name } = part.block;
    return { ...part, block: { ...part.block, id: this.#calls.read(id), name: this.#tools.read(name) } };
  }

  #part(part: Part): Part {
    if (part.type === 'tool-call')
      return { ...part, id: this.#calls.write(part.id), name: this.#tools.write(part.name) };
    if (part.type !== 'tool-result') return part;
    const name = part.name === undefined ? undefined : this.#tools.write(part.name);
    return { ...part, callId: this.#calls.write(part.callId), ...(name !== undefined && { name }) };
  }

  #choice(choice: ToolChoice): ToolChoice {
    if (choice.type === 'tool') return { ...choice, name: this.#tools.write(choice.name) };
    if (choice.type !== 'allowed') return choice;
    return { ...choice, names: choice.names.map((name) => this.#tools.write(name)) };
  }
}

function namesOf({ tools, messages, settings: { toolChoice } }: Generation): string[] {
  const names = tools.map(({ name }) => name);
  if (toolChoice?.type === 'tool') names.push(toolChoice.name);
  if (toolChoice?.type === 'allowed') names.push(...toolChoice.names);
  for (const { content } of messages)
    for (const part of content)
      if ((part.type === 'tool-call' || part.type === 'tool-result') && part.name !== undefined) names.push(part.name);
  return names;
}

function idsOf(messages: readonly Message[]): string[] {
  const ids: string[] = [];
  for (const { content } of messages)
    for (const part of content) {
      if (part.type === 'tool-call') ids.push(part.id);
      if (part.type === 'tool-result') ids.push(part.callId);
    }
  return ids;
}

/** One to one: names that fit are taken before any is made. */
export class Fitting {
  readonly #written = new Map<string, string>();
  readonly #read = new Map<string, string>();

  constructor(alphabet: Alphabet, names: readonly string[]) {
    const taken = new Set(names.filter((name) => alphabet.fits.test(name)));
    for (const name of names) {
      if (taken.has(name) || this.#written.has(name) || name === '') continue;
      let fitted = fit(name, alphabet, name);
      while (taken.has(fitted) || this.#read.has(fitted)) fitted = fit(name, alphabet, `${fitted} ${name}`);
      this.#written.set(name, fitted);
      this.#read.set(fitted, name);
    }
  }

  get isIdle(): boolean {
    return this.#written.size === 0;
  }

  write(name: string): string {
    return this.#written.get(name) ?? name;
  }

  read(name: string): string {
    return this.#read.get(name) ?? name;
  }
}

/** As much of the name as there is room for, and a word that only it has. */
function fit(name: string, { stray, most }: Alphabet, seed: string): string {
  const own = hash('sha256', seed.toWellFormed(), 'hex').slice(0, HASH_LETTERS);
  return `${name.replace(stray, '_').slice(0, most - HASH_LETTERS - 1)}_${own}`;
}
