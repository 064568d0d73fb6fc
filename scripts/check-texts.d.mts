export function checkClients(pages: Record<string, string[]>, texts: Record<string, string>): string[];
export function checkTexts(given: {
  files: Record<string, string>;
  catalogues: Record<string, Record<string, string>>;
  left?: readonly string[];
  withoutTexts?: readonly string[];
  names?: ReadonlySet<string>;
  gatewaySource?: string;
}): string[];
