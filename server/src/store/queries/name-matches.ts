// Is this text part of a row's name, or its whole id? What stands for other letters in a pattern stands for itself here.
import { type RawBuilder, sql } from 'kysely';

export function nameMatches(text: string): RawBuilder<boolean> {
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  // Both sides in the database's own idea of lower case, so that they agree.
  return sql<boolean>`(lower(name) like lower(${pattern}) escape '\\' or id = ${text})`;
}
