// What the generations of models behind this protocol accept, read from the upstream's name of the model: the same request
// is refused by one and needed by another. https://platform.claude.com/docs/en/about-claude/models/overview

export interface ModelTraits {
  /** `budget`: a number of tokens; `adaptive`: an effort, the number is refused. */
  thinking: 'budget' | 'adaptive';
  /** Refuses to have thinking switched off, and to be forced to call a tool. */
  alwaysThinks: boolean;
  /** The efforts it knows, the lowest first. */
  efforts: readonly string[];
  /** Takes temperature, top_p and top_k. */
  takesSampling: boolean;
  /** May be asked to go on with an answer that has been begun. */
  takesPrefill: boolean;
  /** Can be held to a schema: of the answer, of a tool's arguments. */
  takesSchemas: boolean;
}

const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'];

/** `claude-opus-4-7`, `claude-3-7-sonnet-20250219`, `anthropic/claude-sonnet-4.6`; a date is no minor version. */
const VERSION = /claude-(?:[a-z]+-)?(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/;
const ALWAYS_THINKING = /claude-(?:fable|mythos)/;

/** A name that tells nothing gets the oldest form, which the makers of compatible upstreams know too. */
export function traitsOf(model: string): ModelTraits {
  const name = model.toLowerCase();
  const found = VERSION.exec(name);
  const version = found === null ? undefined : Number(found[1]) * 100 + Number(found[2] ?? 0);
  const isNewest = ALWAYS_THINKING.test(name);
  const isSince = (first: number): boolean => isNewest || (version ?? 0) >= first;
  return {
    thinking: isSince(406) ? 'adaptive' : 'budget',
    alwaysThinks: isSince(501),
    efforts: isSince(407) ? EFFORTS : EFFORTS.filter((effort) => effort !== 'xhigh'),
    takesSampling: !isSince(407),
    takesPrefill: !isSince(406),
    takesSchemas: version === undefined || isSince(401),
  };
}
