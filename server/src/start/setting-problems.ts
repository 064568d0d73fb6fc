// Everything that is wrong with the settings, for people who mend them all at once. `readConfig` stops at the first.
import type { Environment } from './settings/setting-values.ts';
import { ConfigError } from './settings/config-error.ts';
import { readConfig } from './config.ts';

/** A sentence for each; it begins with the name of its variable. */
export function settingProblems(environment: Environment): string[] {
  const left = { ...environment };
  const problems: string[] = [];
  const wrong = new Set<string>();
  for (let sentence = problemOf(left); sentence !== undefined; sentence = problemOf(left)) {
    const words = sentence.split(/\W+/);
    // What seems to lack a setting that is wrong itself lacks nothing.
    if (!words.some((word) => wrong.has(word))) problems.push(sentence);
    const [name = ''] = words;
    const given = [name, `${name}_FILE`, name.toLowerCase()].find((one) => left[one] !== undefined);
    wrong.add(name);
    // What is missing belongs to others that are set: those are left out together, and the rest is looked at.
    const [family] = /^[A-Z]+_[A-Z]+_/.exec(name) ?? [name];
    const gone =
      given === undefined
        ? Object.keys(left).filter((one) => left[one] !== undefined && (words.includes(one) || one.startsWith(family)))
        : [given];
    if (gone.length === 0) return problems;
    for (const one of gone) delete left[one];
  }
  return problems;
}

function problemOf(environment: Environment): string | undefined {
  try {
    readConfig(environment);
    return undefined;
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}
