export function neededServers(files: readonly string[]): { postgres: boolean; redis: boolean };
