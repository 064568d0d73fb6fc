// A request for text and its result, in the words of no provider.
import type { FinishReason } from './finish-reason.ts';
import type {
  CacheMark,
  Message,
  PicturePart,
  ReasoningPart,
  RefusalPart,
  TextPart,
  ToolCallPart,
} from './conversation.ts';
import type { TokenUsage } from './usage.ts';

export interface Generation {
  model: string;
  stream: boolean;
  messages: Message[];
  tools: Tool[];
  settings: Settings;
  /** The caller wants to see the usage in a stream (chat completions only; others always show it). */
  showsUsage: boolean;
  /** Settings that the caller wrote under another of their names than the protocol's usual one. */
  paths?: SettingPaths;
  /** What answers of the caller's protocol repeat of the request, by its field; filled by the reader. */
  echo?: Readonly<Record<string, unknown>>;
  /** Fields that the neutral form has no place for, in the caller's own names; filled by the reader. */
  unknown: string[];
}

export interface Tool {
  name: string;
  description?: string;
  /** JSON Schema of the arguments. */
  parameters?: Record<string, unknown>;
  strict?: boolean;
  /** The caller said nothing of it, and its protocol is strict then. */
  isStrictByDefault?: true;
  /** The function stands for a custom tool of its caller, which takes free text. */
  custom?: { format: CustomFormat; description?: string };
  cacheMark?: CacheMark;
  path: string;
}

/** What binds the text that a custom tool takes. */
export type CustomFormat = { type: 'text' } | { type: 'grammar'; syntax: string; definition: string };

/** What may be set beside the conversation; each by the name under which `settingPaths` of a protocol lists it. */
export interface Settings {
  maxOutputTokens?: number;
  temperature?: number;
  topP?: number;
  topK?: number;
  /** Never empty. */
  stop?: string[];
  seed?: number;
  presencePenalty?: number;
  frequencyPenalty?: number;
  /** How many alternatives; only set when more than one. */
  choices?: number;
  toolChoice?: ToolChoice;
  /** May several tools be called at once? */
  parallelToolCalls?: boolean;
  format?: OutputFormat;
  reasoning?: ReasoningRequest;
  /** An id of the end user, for the provider's abuse checks. */
  user?: string;
  metadata?: Record<string, unknown>;
  serviceTier?: string;
  /** How many words: low, medium, high. */
  verbosity?: string;
  /** Requests of the same key likely begin alike, for the provider's cache. */
  cacheKey?: string;
}

export type SettingName = keyof Settings;

export type ToolChoice =
  | { type: 'auto' | 'none' | 'required' }
  | { type: 'tool'; name: string }
  /** Only these, as `mode` says. */
  | { type: 'allowed'; names: string[]; mode: 'auto' | 'required' };

/** Is something lost when no tool is offered? */
export function needsTools(choice: ToolChoice | undefined): boolean {
  return choice !== undefined && choice.type !== 'auto' && choice.type !== 'none';
}

export type OutputFormat =
  | { type: 'json' }
  | { type: 'schema'; name?: string; description?: string; schema: Record<string, unknown>; strict?: boolean };

export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof EFFORTS)[number];

export interface ReasoningRequest {
  effort?: Effort;
  /** Tokens that may be spent on it; -1 lets the model choose. */
  budget?: number;
  /** The caller wants to read it (a summary, thoughts). */
  isShown?: boolean;
}

/** Where one setting stands in the caller's own words. */
export type SettingPaths = Readonly<Partial<Record<SettingName, string>>>;

export type OutputPart = TextPart | ToolCallPart | ReasoningPart | RefusalPart | PicturePart;

export interface GenerationResult {
  /** The upstream's id of the answer. */
  id: string | undefined;
  content: OutputPart[];
  finish: Finish;
  usage: TokenUsage | undefined;
}

export interface Finish {
  reason: FinishReason;
  /** The stop sequence that was met, where the upstream says. */
  stopSequence?: string;
}
