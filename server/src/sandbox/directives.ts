// Reads the directives of a call, from its base path (`/behave/slow-200,fail-500/...`) and from its prompt
// (`[[slow 200]] [[fail 500]]`), and joins them into one behaviour.
import { type Behaviour, scenarios } from './scenarios.ts';

export type Directive = {
  /** As written in a path, without `once-`. */
  text: string;
  once: boolean;
  behaviour: Behaviour;
};

const onceMemoryLimit = 10_000;
const promptPattern = /\[\[\s*([a-z][a-z0-9 -]{0,60}?)\s*\]\]/gi;

/** Takes `fail-500`, `fail 500` or `once-fail-500`; undefined when there is no such directive or argument. */
export function parseDirective(written: string): Directive | undefined {
  const form = written.trim().toLowerCase().replace(/\s+/g, '-');
  const once = form.startsWith('once-');
  const text = once ? form.slice('once-'.length) : form;
  const plain = findScenario(text);
  if (plain !== undefined) return { text, once, behaviour: plain.behave(plain.argument?.fallback ?? 0) };

  const [, name, digits] = /^(.+)-(\d{1,9})$/.exec(text) ?? [];
  if (name === undefined || digits === undefined) return undefined;
  const scenario = findScenario(name);
  const value = Number(digits);
  if (scenario?.argument === undefined) return undefined;
  if (value < scenario.argument.least || value > scenario.argument.most) return undefined;
  return { text, once, behaviour: scenario.behave(value) };
}

function findScenario(name: string): (typeof scenarios)[string] | undefined {
  return Object.hasOwn(scenarios, name) ? scenarios[name] : undefined;
}

export type PromptDirectives = { known: Directive[]; unknown: string[] };

export function findPromptDirectives(texts: readonly string[]): PromptDirectives {
  const known: Directive[] = [];
  const unknown: string[] = [];
  for (const text of texts) {
    for (const [, written = ''] of text.matchAll(promptPattern)) {
      const directive = parseDirective(written);
      if (directive !== undefined) known.push(directive);
      // Double brackets also occur in ordinary text: not an error, but the answer mentions them.
      else if (unknown.length < 5) unknown.push(written);
    }
  }
  return { known, unknown };
}

export function removeDirectives(text: string): string {
  return text.replace(promptPattern, (whole, written: string) => (parseDirective(written) ? '' : whole)).trim();
}

export type BehavePath = { path: string; directives: Directive[]; unknown: string[] };

/** `/behave/a,b/rest` -> `/rest` with a and b; any other path stays as it is. */
export function readBehavePath(path: string): BehavePath {
  const [, list, rest] = /^\/behave\/([^/]+)(\/.*)?$/.exec(path) ?? [];
  if (list === undefined) return { path, directives: [], unknown: [] };
  const written = decodeSegment(list).split(',');
  const parsed = written.map((one) => ({ one, directive: parseDirective(one) }));
  return {
    path: rest ?? '/',
    directives: parsed.flatMap(({ directive }) => directive ?? []),
    unknown: parsed.filter(({ directive }) => directive === undefined).map(({ one }) => one),
  };
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Later directives win over earlier ones that set the same thing. */
export function joinBehaviours(directives: readonly Directive[]): Behaviour {
  return Object.assign({}, ...directives.map((directive) => directive.behaviour)) as Behaviour;
}

export type OnceMemory = {
  /** Leaves out the once-directives that this caller has already met on this path. */
  stillDue(directives: readonly Directive[], caller: { key: string; path: string }): Directive[];
  clear(): void;
};

export function createOnceMemory(): OnceMemory {
  const met = new Set<string>();
  return {
    stillDue(directives, { key, path }) {
      return directives.filter(({ once, text }) => {
        if (!once) return true;
        const name = JSON.stringify([key, text, path]);
        if (met.has(name)) return false;
        met.add(name);
        const [oldest] = met;
        if (met.size > onceMemoryLimit && oldest !== undefined) met.delete(oldest);
        return true;
      });
    },
    clear: () => met.clear(),
  };
}
