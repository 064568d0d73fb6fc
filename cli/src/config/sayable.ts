// What of a gateway a file can say. It knows things by their names: what shares its name with others is left out.
import type { Resources } from '#contract/config-plan.ts';
import { type Current, isAmbiguous } from './read-current.ts';

type Row = Record<string, unknown>;

/** `leftOut` are sentences about what is not in it. */
export function sayable(current: Current): { shown: Resources; leftOut: string[] } {
  const { rows, others } = current;
  const leftOut: string[] = [];
  const all = [...Object.values(rows.accounts), ...others.accounts];
  const nameOf = new Map(
    all
      .map(({ id, name }) => [id, String(name)] as const)
      .filter(([, name]) => !isAmbiguous(current, 'accounts', name)),
  );
  const accounts = Object.fromEntries(
    Object.entries(current.shown.accounts).filter(([name]) => !isAmbiguous(current, 'accounts', name)),
  );
  for (const name of new Set(others.accounts.map((row) => String(row['name']))))
    leftOut.push(`Several accounts "${name}": none of them is in the file, because it knows things by their names.`);
  const tokens = sayableTokens(current, nameOf, leftOut);
  const flags: Resources['flags'] = {};
  for (const [name, { accounts: named, ...flag }] of Object.entries(current.shown.flags)) {
    const isClear = ((rows.flags[name]?.['accounts'] ?? []) as string[]).every((id) => nameOf.has(id));
    flags[name] = isClear ? { ...flag, accounts: named } : flag;
    if (!isClear)
      leftOut.push(`Flag "${name}" is in the file without its accounts, because several have the name of one of them.`);
  }
  return { shown: { ...current.shown, accounts, tokens, flags }, leftOut };
}

/** With the name of its account a token is clear, but the file has room for one of each name. */
function sayableTokens(
  { rows, others }: Current,
  nameOf: ReadonlyMap<unknown, string>,
  leftOut: string[],
): Resources['tokens'] {
  const byName = new Map<string, Row[]>();
  for (const row of [...Object.values(rows.tokens), ...others.tokens])
    byName.set(String(row['name']), [...(byName.get(String(row['name'])) ?? []), row]);
  const tokens: Resources['tokens'] = {};
  for (const [name, all] of byName) {
    const clear = all.filter(
      ({ account_id: account }) =>
        nameOf.has(account) && all.filter((one) => one['account_id'] === account).length === 1,
    );
    const [first] = clear;
    if (first !== undefined)
      tokens[name] = { ...first, account: nameOf.get(first['account_id']), key: first['key_hint'] };
    const why = sentenceOf(name, { all, clear, nameOf });
    if (why !== undefined) leftOut.push(why);
  }
  return tokens;
}

function sentenceOf(
  name: string,
  { all, clear, nameOf }: { all: readonly Row[]; clear: readonly Row[]; nameOf: ReadonlyMap<unknown, string> },
): string | undefined {
  if (all.length === clear.length && clear.length === 1) return undefined;
  if (clear.length > 0)
    return `Several tokens "${name}": only one of them is in the file, because it knows things by their names.`;
  if (all.every(({ account_id: account }) => !nameOf.has(account)))
    return `Token "${name}" is not in the file, because several accounts have the name of its own.`;
  return `Several tokens "${name}" of one account: none of them is in the file, because it knows things by their names.`;
}
