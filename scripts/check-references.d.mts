export interface Reference {
  reference: string;
  page?: string;
  section?: string;
  rule?: string;
  promise?: string;
}
export interface Law {
  pages: Record<string, Map<string, number>>;
  promises: Set<string>;
}
export function readSections(text: string): Map<string, number>;
export function readPromises(text: string): Set<string>;
export function findReferences(text: string): Reference[];
export function resolves(reference: Reference, law: Law): boolean;
