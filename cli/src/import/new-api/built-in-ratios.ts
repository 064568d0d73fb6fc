// Completion ratios (price of output over price of input) that the programs have built in for models whose ratio nobody set,
// read from their sources in 2026. The first rule that matches counts. A fixed one counts even where the database has
// another: the programs ignore that too.
import type { Program } from './channels/channel-types.ts';

export interface BuiltIn {
  ratio: string;
  isFixed: boolean;
}

type Rule = readonly [pattern: RegExp, ratio: string, fixed?: 'fixed'];

const FOUR_THIRDS = '1.3333333333333333';

const NEW_API: readonly Rule[] = [
  [/(?:-all|-gizmo-\*)$/, '2'],
  [/^gpt-4o-2024-05-13$/, '3', 'fixed'],
  [/^gpt-4o-mini-tts/, '20'],
  [/^gpt-4o/, '4'],
  [/^gpt-5[^.]*$/, '8', 'fixed'],
  [/^gpt-5\.4-nano/, '6.25', 'fixed'],
  [/^gpt-5\.4/, '6', 'fixed'],
  [/^gpt-5/, '6'],
  [/^gpt-4\.5-preview/, '2', 'fixed'],
  [/^gpt-4-turbo|^gpt-.*gpt-4-110[56]$|^gpt-4-110[56]$/, '3', 'fixed'],
  [/^gpt-/, '2'],
  [/^o[13]/, '4', 'fixed'],
  [/^chatgpt-4o-latest$/, '3', 'fixed'],
  [/claude-3|claude-(?:sonnet|opus|haiku)-4/, '5', 'fixed'],
  [/^mistral-/, '3', 'fixed'],
  [/^gemini-(?:1\.5|2\.0)/, '4', 'fixed'],
  [/^gemini-2\.5-pro/, '8'],
  [/^gemini-2\.5-flash-preview.*-nothinking$/, '4'],
  [/^gemini-2\.5-flash-preview/, '23.333333333333332'],
  [/^gemini-2\.5-flash-lite/, '4'],
  [/^gemini-2\.5-flash|^gemini-robotics-er-1\.5/, '8.333333333333334'],
  [/^gemini-3-pro-image/, '60'],
  [/^gemini-3-pro/, '6'],
  [/^gemini-/, '4'],
  [/^command-r$/, '3', 'fixed'],
  [/^command-r-plus$/, '5', 'fixed'],
  [/^command-r-(?:plus-)?08-2024$/, '4', 'fixed'],
  [/^command/, '4'],
  [/^ERNIE-(?:Speed-|Lite-|Character|Functions)/, '2', 'fixed'],
  [/^llama2-70b-4096$/, '1.25', 'fixed'],
  [/^llama3-8b-8192$/, '2', 'fixed'],
  [/^llama3-70b-8192$/, '1.3389830508474576', 'fixed'],
];

const ONE_API: readonly Rule[] = [
  [/^gpt-3\.5-turbo$|^gpt-3\.5.*0125$/, '3'],
  [/^gpt-3\.5.*1106$/, '2'],
  [/^gpt-3\.5/, FOUR_THIRDS],
  [/^gpt-4o-2024-05-13$/, '3'],
  [/^gpt-4o/, '4'],
  [/^gpt-4-turbo|^gpt-4.*preview$/, '3'],
  [/^gpt-4/, '2'],
  [/^o1/, '4'],
  [/^chatgpt-4o-latest$/, '3'],
  [/^claude-3/, '5'],
  [/^(?:claude|mistral|gemini)-/, '3'],
  [/^deepseek-/, '2'],
  [/^llama2-70b-4096$/, '1.25'],
  [/^llama3-8b-8192$/, '2'],
  [/^llama3-70b-8192$/, '1.3389830508474576'],
  [/^command(?:-light)?(?:-nightly)?$/, '2'],
  [/^command-r$|^grok-beta$/, '3'],
  [/^command-r-plus$/, '5'],
];

export function builtInCompletion(program: Program, model: string): BuiltIn {
  const rules = program === 'new-api' ? NEW_API : ONE_API;
  const found = rules.find(([pattern]) => pattern.test(model));
  return { ratio: found?.[1] ?? '1', isFixed: found?.[2] === 'fixed' };
}

/** Names that share one entry. */
export function ratioName(model: string): string {
  for (const family of ['gemini-2.5-flash-lite', 'gemini-2.5-flash', 'gemini-2.5-pro']) {
    if (model.startsWith(family)) return model.includes('-thinking-') ? `${family}-thinking-*` : model;
  }
  if (model.startsWith('gpt-4o-gizmo')) return 'gpt-4o-gizmo-*';
  return model.startsWith('gpt-4-gizmo') ? 'gpt-4-gizmo-*' : model;
}
