export const DIALECT: ReadonlyMap<string, string>;
export function findDialect(text: string): { word: string; line: number }[];
