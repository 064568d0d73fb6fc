export function buildSite(target: string): Promise<{ pages: number; problems: string[] }>;
