// Is this text part of a row's name, or its whole id? What stands for other letters in a pattern stands for itself here.
import { type RawBuilder, sql, type SqlBool } from 'kysely';

export function nameMatches(text: string): RawBuilder<boolean> {
  const pattern = `%${patternOf(text)}%`;
  // Both sides in the database's own idea of lower case, so that they agree.
  return sql<boolean>`(lower(name) like lower(${pattern}) escape '\\' or id = ${text})`;
}

export function patternOf(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}

/** The whole text, or its beginning where a * ends it. */
export function textMatches(column: string, text: string): RawBuilder<SqlBool> {
  const name = sql.ref(column);
  if (!text.endsWith('*')) return sql<SqlBool>`${name} = ${text}`;
  const beginning = text.slice(0, -1);
  return sql<SqlBool>`substr(${name}, 1, length(${beginning})) = ${beginning}`;
}
