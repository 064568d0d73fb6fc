// A price as people type it, and what of it goes to the API.
import type { Price } from '#contract/prices.ts';
import { type NamePair, pairsOf, recordOf } from '../../lib/name-pairs.ts';
import { factsOf, ratesOf, type PriceField, type Unit } from './price-units.ts';

export interface PriceDraft {
  unit: Unit;
  fields: Record<string, string>;
  /** Tables of names and amounts, by the name of their field. */
  tables: Record<string, NamePair[]>;
  /** Rates of long calls, with `input_tokens` among their fields. */
  above: Record<string, string>[];
}

export function draftOfUnit(unit: Unit): PriceDraft {
  return { unit, fields: {}, tables: {}, above: [] };
}

export function draftOfPrice(price: Price | null): PriceDraft {
  if (price === null) return draftOfUnit('tokens');
  const { unit, ...rest } = price;
  const draft = draftOfUnit(unit);
  for (const [name, value] of Object.entries(rest)) {
    if (typeof value === 'string') draft.fields[name] = value;
    else if (Array.isArray(value)) draft.above = value.map(fieldsOf);
    else if (value !== undefined && value !== null) draft.tables[name] = pairsOf(value);
  }
  return draft;
}

/** Not yet checked: the contract's schema does that. */
export function bodyOfPrice({ unit, fields, tables, above }: PriceDraft): Record<string, unknown> {
  const facts = factsOf(unit);
  const body: Record<string, unknown> = { unit, ...bodyOfFields(facts.fields, fields) };
  for (const { name, optional } of facts.tables ?? []) {
    const rows = recordOf(tables[name] ?? [], () => '');
    if (optional !== true || Object.keys(rows).length > 0) body[name] = rows;
  }
  if (facts.above === true && above.length > 0) {
    body['above'] = above.map(({ input_tokens, ...rates }) => ({
      input_tokens: (input_tokens ?? '').trim() === '' ? null : Number(input_tokens),
      ...bodyOfFields(ratesOf(facts), rates),
    }));
  }
  return body;
}

function bodyOfFields(known: PriceField[], fields: Record<string, string>): Record<string, string> {
  const body: Record<string, string> = {};
  for (const { name, optional } of known) {
    const text = (fields[name] ?? '').trim();
    if (text !== '' || optional !== true) body[name] = text;
  }
  return body;
}

function fieldsOf(row: object): Record<string, string> {
  const given = Object.entries(row).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}
