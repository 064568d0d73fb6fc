export const DIALECT: ReadonlyMap<string, string>;
export function findDialect(text: string): { word: string; line: number }[];
export const NAMES: ReadonlyMap<string, string>;
export function findNames(text: string): { word: string; line: number }[];
