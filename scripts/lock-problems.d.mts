export interface LockEntry {
  version?: string;
  integrity?: string;
  resolved?: string;
  optional?: boolean;
  [field: string]: unknown;
}
export interface Lock {
  packages: Record<string, LockEntry>;
}
export function lockProblems(lock: Lock): string[];
