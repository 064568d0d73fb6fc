// docs/clients.md: what each client did, in one table, and the losses below it.
import type { Driven, Report } from './drive.ts';

export interface Row {
  name: string;
  language: string;
  page: string;
  driven: Driven;
}

export const CHECKS = ['prompt', 'stream', 'tools', 'schema', 'images', 'files', 'errors', 'tool loop'];

const HEAD = `# Clients

Every client here is pointed at a fresh gateway with the sandbox behind it, as its users would do it. \`npm run clients\` installs
the pinned versions in a scratch folder, runs them and writes this page (\`--write\`). What is pinned stands in \`scripts/clients\`.

| Check | What is done |
|---|---|
| prompt | A prompt, whole; with Cohere's library also vectors and a ranking |
| stream | The same, streamed |
| tools | A tool is called, run by the client, and its result answered |
| schema | An answer by a JSON Schema |
| images | A picture in the prompt |
| files | A file in the prompt, or uploaded |
| errors | An unknown model and a wrong key raise the client's own errors |
| tool loop | A coding agent calls one of its tools and goes on with the result |

A cell says that it works, that it works with a named loss (\`loss\`), or that it does not (\`no\`). An empty cell: the client has no such
thing, or it is not tried.

`;

export function writePage(rows: readonly Row[]): string {
  const losses = rows.flatMap(({ name, language, driven }) =>
    driven.reports
      .filter(({ note }) => note !== '')
      .map(({ check, result, note }) => `- ${name} (${language}), ${check}: ${result}. ${note.replaceAll('\n', ' ')}`),
  );
  const lines = rows.map(({ name, language, page, driven }) => {
    const cells = CHECKS.map((check) => cellOf(driven.reports.filter((report) => report.check === check)));
    return `| [${name}](clients/${page}.md) | ${language} | ${driven.version} | ${cells.join(' | ')} |`;
  });
  const columns = ['Client', 'Language', 'Version', ...CHECKS];
  const table = [`| ${columns.join(' | ')} |`, `|${columns.map(() => '---').join('|')}|`, ...lines].join('\n');
  const below = losses.length === 0 ? '' : `\n## Losses\n\n${losses.join('\n')}\n`;
  return `${HEAD}## Table\n\n${table}\n${below}\n${APPS}`;
}

function cellOf(reports: readonly Report[]): string {
  if (reports.length === 0) return '';
  if (reports.some(({ result }) => result === 'no')) return 'no';
  return reports.some(({ result }) => result === 'loss') ? 'loss' : 'works';
}

const APPS = `## Chat apps

Apps with a window of their own are not driven here. Their calls are replayed in \`e2e/chat-apps.test.ts\`:
[NextChat](clients/nextchat.md), [LobeChat](clients/lobechat.md), [Open WebUI](clients/open-webui.md),
[Cherry Studio](clients/cherry-studio.md), [cc-switch](clients/cc-switch.md).
`;
