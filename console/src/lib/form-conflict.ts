// A change that was refused because somebody changed the same thing meanwhile, kept beside the complaints of its form.
import type { Conflict } from './api-error.ts';
import { t } from '../i18n/t.ts';
import type { FieldErrors } from './check-form.ts';

export interface FormConflict extends Conflict {
  /** Sends the form again. */
  again(): void;
}

const conflicts = new WeakMap<FieldErrors, FormConflict>();

export function noteConflict(errors: FieldErrors, conflict: FormConflict): void {
  conflicts.set(errors, conflict);
}

export function conflictOf(errors: FieldErrors | undefined): FormConflict | undefined {
  return errors === undefined ? undefined : conflicts.get(errors);
}

export interface Difference {
  field: string;
  theirs: string;
  mine: string;
}

/** Fields that the form would change from what is there now. */
export function differences(there: unknown, mine: unknown): Difference[] {
  if (!isRecord(there) || !isRecord(mine)) return [];
  return Object.entries(mine).flatMap(([field, value]) => {
    if (!(field in there) || JSON.stringify(sorted(there[field])) === JSON.stringify(sorted(value))) return [];
    return [{ field, theirs: inWords(there[field]), mine: inWords(value) }];
  });
}

export function inWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return t('none');
  if (Array.isArray(value)) return value.length === 0 ? t('none') : value.map(inWords).join(', ');
  if (typeof value === 'string') return value;
  if (typeof value !== 'object') return JSON.stringify(value) ?? t('none');
  const words = Object.entries(value).flatMap(([name, one]) => (one === null ? [] : [`${name} ${inWords(one)}`]));
  return words.length === 0 ? t('none') : words.join(', ');
}

/** Names of an object in one order, wherever it came from. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((name) => [name, sorted(value[name])]),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
