// Checks what a form sends with the contract's own schema, and puts the API's complaints beside the field they name.
import type { z } from 'zod';
import { ApiError, sentenceOf } from './api-error.ts';
import { known, t } from '../i18n/t.ts';

export type FieldErrors = Record<string, string>;

/** Path of the field -> sentence; undefined when all is well. */
export function checkForm(schema: z.ZodType, value: unknown): FieldErrors | undefined {
  const result = schema.safeParse(value);
  if (result.success) return undefined;
  const errors: FieldErrors = {};
  for (const issue of result.error.issues) {
    const path = issue.path.map(String).join('.');
    errors[path] ??= sentence(issue);
  }
  return errors;
}

/** The field that the API names, else ''. */
export function errorsOf(error: unknown): FieldErrors {
  if (error instanceof ApiError && error.conflict !== undefined) return {};
  if (error instanceof ApiError) return { [error.param ?? '']: sentenceOf(error) };
  return { '': error instanceof Error ? error.message : String(error) };
}

/** Of a field or of anything inside it. */
export function errorAt(errors: FieldErrors | undefined, field: string): string | undefined {
  const key = Object.keys(errors ?? {}).find((path) => path === field || path.startsWith(`${field}.`));
  return key === undefined ? undefined : errors?.[key];
}

function sentence(issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_small' && issue.origin === 'string' && Number(issue.minimum) === 1)
    return t('This is needed.');
  if (issue.code === 'too_small' && issue.origin === 'string')
    return t('At least {count} characters.', { count: String(issue.minimum) });
  if (issue.code === 'too_big' && issue.origin === 'string')
    return t('At most {count} characters.', { count: String(issue.maximum) });
  if (issue.code === 'invalid_type') return t('This is needed.');
  const text = issue.message;
  const translated = known(text);
  if (translated !== text) return translated;
  return /^(must|is) /.test(text) ? t('This {text}.', { text }) : `${text.replace(/\.$/, '')}.`;
}
