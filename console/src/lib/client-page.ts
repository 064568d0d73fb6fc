// A page of docs/clients, as the console shows it: sentences, tables as lines, and blocks to be copied, with the address of
// this gateway in them.
export interface ClientPage {
  title: string;
  parts: PagePart[];
}

export type PagePart = { kind: 'text'; text: string } | { kind: 'code'; text: string };

const ADDRESS = 'https://YOUR-GATEWAY';

/** `sentences` are those of another language, by the English ones. */
export function readClientPage(
  markdown: string,
  gatewayUrl: string,
  sentences: Readonly<Record<string, string>> = {},
): ClientPage {
  const [, title = ''] = /^# (.+)$/m.exec(markdown) ?? [];
  const parts = markdown
    .replace(/^# .+\n/, '')
    .split(/^(```\w*\n[^]*?^```)$/m)
    .flatMap((piece): PagePart[] => {
      const code = /^```\w*\n([^]*?)\n?```$/.exec(piece)?.[1];
      if (code !== undefined) return [{ kind: 'code', text: code.replaceAll(ADDRESS, gatewayUrl) }];
      return piece
        .split(/\n{2,}/)
        .map(plainText)
        .filter((one) => one !== '')
        .map((one) => ({ kind: 'text', text: (sentences[one] ?? one).replaceAll(ADDRESS, gatewayUrl) }));
    });
  return { title, parts };
}

/** Rows of a table become lines, links their words. */
function plainText(paragraph: string): string {
  const lines = paragraph.trim().split('\n');
  const isTable = lines[0]?.startsWith('|') === true;
  const rows = isTable
    ? lines.slice(2).map((row) =>
        row
          .split('|')
          .map((cell) => cell.trim())
          .filter(Boolean)
          .join(': '),
      )
    : lines;
  return rows
    .join(isTable ? '\n' : ' ')
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll('`', '');
}
