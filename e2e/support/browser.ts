// A real Chromium for tests, brought by npm: unpacked once per version into a folder of its own. Elsewhere than on x64 Linux
// an installed Chrome is used, or the one that CHROME_PATH names.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import type Chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'];
/** How long the start may take on a busy machine: one that takes longer never comes. */
const START_MS = 180_000;
/** Makes the package unpack the libraries that slim machines lack. */
const WITH_LIBRARIES = 'nodejs24.x';

export async function launchBrowser(): Promise<Browser> {
  const chosen = process.env['CHROME_PATH'];
  const options = { timeout: START_MS };
  if (chosen !== undefined) return playwright.launch({ ...options, executablePath: chosen, args: ARGUMENTS });
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return playwright.launch({ ...options, channel: 'chrome' });
  const { executablePath, environment } = await unpackedBrowser();
  return playwright.launch({ ...options, executablePath, args: ARGUMENTS, env: environment });
}

/** Unpacked beside and then moved, so that two processes never see each other's half-made one. */
async function unpackedBrowser() {
  const require = createRequire(import.meta.url);
  const home = dirname(dirname(require.resolve('@sparticuz/chromium')));
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string };
  const folder = join(tmpdir(), `tollgate-chromium-${version}-${userInfo().uid}`);
  if (!existsSync(folder)) {
    const making = `${folder}-${process.pid}`;
    mkdirSync(making, { recursive: true });
    await withTemporaryFolder(making, async (package_) => package_.executablePath());
    // The package's own list of font folders names only places of its usual home. Those of the machine draw Chinese.
    writeFileSync(
      join(making, 'fonts', 'fonts.conf'),
      `<?xml version="1.0"?><fontconfig><dir>/usr/share/fonts</dir><dir>${folder}/fonts/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>`,
    );
    try {
      renameSync(making, folder);
    } catch {
      rmSync(making, { recursive: true, force: true }); // another process was faster
    }
  }
  const library = [join(folder, 'al2023', 'lib'), process.env['LD_LIBRARY_PATH']].filter(Boolean).join(':');
  const environment = { ...process.env, LD_LIBRARY_PATH: library, FONTCONFIG_PATH: join(folder, 'fonts') };
  return { executablePath: join(folder, 'chromium'), environment: environment as Record<string, string> };
}

/** The package reads its folder from the environment when it is loaded and when it unpacks. */
async function withTemporaryFolder(
  folder: string,
  work: (package_: typeof Chromium) => Promise<unknown>,
): Promise<void> {
  const { TMPDIR, AWS_LAMBDA_JS_RUNTIME, LD_LIBRARY_PATH, FONTCONFIG_PATH } = process.env;
  Object.assign(process.env, { TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: WITH_LIBRARIES });
  try {
    await work((await import('@sparticuz/chromium')).default);
  } finally {
    for (const [name, value] of Object.entries({ TMPDIR, AWS_LAMBDA_JS_RUNTIME, LD_LIBRARY_PATH, FONTCONFIG_PATH })) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}
