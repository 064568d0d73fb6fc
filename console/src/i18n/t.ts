// Every text that a person reads goes through `t`. The English sentence is the key; other languages have theirs in the
// catalogues beside this file. A note behind ` //` keeps two meanings of one English text apart and is not shown.
import { translationOf, translationOfSent } from './catalogue.ts';
import { languageTag } from './language.ts';

type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
/** What the {names} of a text are to be replaced by: nothing where there is none. */
export type Values<Text extends string, Value> = [Names<Text>] extends [never]
  ? []
  : [values: Record<Names<Text>, Value>];

const NAME = /\{(\w+)\}/;
const numbers = new Intl.NumberFormat(languageTag);
const english = new Intl.PluralRules('en');

/** Numbers among the values are grouped as the language does it; give those that are no count as text. */
export function t<const Text extends string>(text: Text, ...[values]: Values<Text, string | number>): string {
  return fill(translationOf(text) ?? withoutNote(text), values);
}

/** A text with a count in it. The form for many is the key; Chinese has one form only. */
export function plural(count: number, one: string, many: string, values: Record<string, string | number> = {}): string {
  const form = english.select(count) === 'one' ? one : many;
  return fill(translationOf(many) ?? withoutNote(form), { ...values, count });
}

/** A text that the gateway sent, where the catalogue has it. */
export function known(text: string): string {
  return translationOfSent(text) ?? text;
}

/** Texts between names, and names, in turns. */
export function pieces(text: string): string[] {
  return (translationOf(text) ?? withoutNote(text)).split(NAME);
}

function fill(text: string, values: Record<string, string | number> = {}): string {
  return text
    .split(NAME)
    .map((piece, index) => (index % 2 === 0 ? piece : shown(values[piece] ?? `{${piece}}`)))
    .join('');
}

function shown(value: string | number): string {
  return typeof value === 'number' ? numbers.format(value) : value;
}

function withoutNote(text: string): string {
  return text.split(' //')[0] ?? text;
}
