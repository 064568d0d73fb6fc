// A price as people type it, and what of it goes to the API.
import type { Price } from '#contract/prices.ts';
import { type NamePair, pairsOf, recordOf } from '../../lib/name-pairs.ts';
import { factsOf, type Unit } from './price-units.ts';

export interface PriceDraft {
  unit: Unit;
  fields: Record<string, string>;
  table: NamePair[];
}

export function draftOfPrice(price: Price | null): PriceDraft {
  if (price === null) return { unit: 'tokens', fields: {}, table: [] };
  const { unit, ...rest } = price;
  const fields: Record<string, string> = {};
  let table: NamePair[] = [];
  for (const [name, value] of Object.entries(rest)) {
    if (typeof value === 'string') fields[name] = value;
    else if (value !== undefined && value !== null) table = pairsOf(value);
  }
  return { unit, fields, table };
}

/** Not yet checked: the contract's schema does that. */
export function bodyOfPrice({ unit, fields, table }: PriceDraft): Record<string, unknown> {
  const facts = factsOf(unit);
  const body: Record<string, unknown> = { unit };
  for (const { name, optional } of facts.fields) {
    const text = (fields[name] ?? '').trim();
    if (text !== '' || optional !== true) body[name] = text;
  }
  const rows = recordOf(table, () => '');
  if (facts.table !== undefined && (facts.table.name === 'resolution' || Object.keys(rows).length > 0))
    body[facts.table.name] = rows;
  return body;
}
