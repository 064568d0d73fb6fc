export function isLong(file: string): boolean;
export function batchesOf(files: readonly string[]): string[][];
export function writeBatches(batches: readonly (readonly string[])[], folder: string): string[];
