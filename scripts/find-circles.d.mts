export function findCircles(): string[][];
export function circlesIn(imports: ReadonlyMap<string, readonly string[]>): string[][];
