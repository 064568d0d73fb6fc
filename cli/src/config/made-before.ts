// What a configuration file made before: what it named when it was applied last, and what was left then without --prune.
import { CONFIG_KINDS, type ConfigDrift, type ConfigKind } from '#contract/config-file.ts';
import { emptyResources, type Resources } from '#contract/config-plan.ts';
import { type Current, isAmbiguous } from './read-current.ts';
import type { ReadConfig } from './read-config-file.ts';

/** As the gateway notes it of each file. */
export interface Applied {
  name: string;
  content: Partial<Resources>;
  drift: ConfigDrift[];
  left?: Partial<Resources>;
  path?: string;
}

/**
 * Files without a name share one note. Only the file that wrote it, known by its path, takes over what was left: else one
 * would remove what the other made. What another file names is that file's.
 */
export function madeBefore({ content, file, path }: ReadConfig, all: readonly Applied[]): Resources {
  const made = emptyResources();
  const applied = all.find(({ name }) => name === file.name);
  const isSame = content['name'] !== undefined || applied?.path === path;
  const others = all.filter(({ name }) => name !== file.name);
  for (const kind of CONFIG_KINDS) {
    const entries = { ...(isSame && applied?.left?.[kind]), ...applied?.content[kind] };
    for (const [name, entry] of Object.entries(entries))
      if (!others.some(({ content: named }) => names(named, kind, { name, entry }))) made[kind][name] = entry;
  }
  return made;
}

/** What an apply without --prune leaves; an account says which token is meant. */
export function leftOf(
  config: ReadConfig,
  { made, current, all }: { made: Resources; current: Current; all: readonly Applied[] },
): Partial<Resources> {
  const applied = all.find(({ name }) => name === config.file.name);
  // Without a name: what another file made is not this one's to remember.
  if (config.content['name'] === undefined && applied?.path !== config.path) return {};
  const isThere = (kind: ConfigKind, name: string): boolean =>
    current.rows[kind][name] !== undefined ||
    (kind === 'tokens' && isAmbiguous(current, 'accounts', String(made.tokens[name]?.['account'])));
  const left: Partial<Resources> = {};
  for (const kind of CONFIG_KINDS) {
    const names = Object.keys(made[kind]).filter(
      (name) => config.given[kind][name] === undefined && isThere(kind, name),
    );
    const entries = names.map((name) => {
      const account = kind === 'tokens' ? made.tokens[name]?.['account'] : undefined;
      return [name, account === undefined ? {} : { account }] as const;
    });
    if (entries.length > 0) left[kind] = Object.fromEntries(entries);
  }
  return left;
}

function names(
  content: Partial<Resources>,
  kind: ConfigKind,
  { name, entry }: { name: string; entry: Record<string, unknown> },
): boolean {
  const named = content[kind]?.[name];
  return named !== undefined && (kind !== 'tokens' || named['account'] === entry['account']);
}
