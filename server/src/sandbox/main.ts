// Runs the sandbox alone: `npm run sandbox`. PORT chooses where (8090).
import { stopWithParent } from '../shared/stop-with-parent.ts';
import { startSandbox } from './server.ts';
import { directiveForms } from './scenarios.ts';

const defaultPort = 8090;

function readPort(text: string | undefined): number {
  const port = text === undefined || text === '' ? defaultPort : Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`PORT is not a port: ${text}`);
  return port;
}

try {
  const sandbox = await startSandbox({ port: readPort(process.env['PORT']) });
  console.log(`The sandbox answers at ${sandbox.address}

A channel takes       base_url ${sandbox.baseUrl('openai')}   key: sandbox
for anthropic         base_url ${sandbox.baseUrl('anthropic')}
for gemini            base_url ${sandbox.baseUrl('gemini')}
for rerank            base_url ${sandbox.baseUrl('rerank')}
for video             base_url ${sandbox.baseUrl('alpha')} (alpha), ${sandbox.baseUrl('beta-video')} (beta-video)
or, misbehaving,      base_url ${sandbox.baseUrl('openai', 'fail-500')}
What was received:    curl ${sandbox.address}/_sandbox/records

Try:
  curl ${sandbox.baseUrl('openai')}/chat/completions -H 'authorization: Bearer sandbox' -H 'content-type: application/json' \\
    -d '{"model":"sandbox-chat","stream":true,"messages":[{"role":"user","content":"Hello! [[pace 50]]"}]}'

Directives (docs/sandbox.md): ${directiveForms.join(', ')}`);

  const stopOnce = (): void => {
    sandbox.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGTERM', stopOnce);
  process.once('SIGINT', stopOnce);
  if (process.env['npm_lifecycle_event'] !== undefined) stopWithParent(stopOnce);
} catch (error) {
  console.error(`The sandbox could not start: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
