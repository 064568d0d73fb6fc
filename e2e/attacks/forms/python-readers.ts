// Readers of forms that upstreams on Python use, where a Python with them is there: TEST_FORMS_PYTHON names one, else the
// python3 of the path is asked. Nothing is installed.
import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type FormView, orderView } from './form-view.ts';

const SCRIPT = fileURLToPath(new URL('read-forms.py', import.meta.url));

export interface SentForm {
  contentType: string;
  body: Buffer;
}

type Answer = Record<string, FormView | { error: string }>;

/** undefined where no Python has Starlette (with python-multipart) and Werkzeug. */
export function findPython(): string | undefined {
  const python = process.env['TEST_FORMS_PYTHON'] ?? 'python3';
  return spawnSync(python, [SCRIPT, '--check'], { stdio: 'ignore' }).status === 0 ? python : undefined;
}

/** What each of them saw, form by form. */
export async function readByPython(python: string, forms: readonly SentForm[]): Promise<Map<string, FormView>[]> {
  const child = spawn(python, [SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] });
  const views: Map<string, FormView>[] = [];
  const reading = (async () => {
    for await (const line of createInterface({ input: child.stdout })) {
      const answer = JSON.parse(line) as Answer;
      views.push(new Map(Object.entries(answer).map(([name, seen]) => [name, viewOf(seen)])));
    }
  })();
  for (const { contentType, body } of forms)
    child.stdin.write(`${JSON.stringify({ content_type: contentType, body: body.toString('base64') })}\n`);
  child.stdin.end();
  await reading;
  return views;
}

/** A refusal is a view that equals no other. */
function viewOf(seen: FormView | { error: string }): FormView {
  return 'error' in seen ? { fields: { refused: [seen.error] }, files: [] } : orderView(seen);
}
