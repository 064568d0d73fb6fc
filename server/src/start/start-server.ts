// The HTTP server: listens, and at a stop lets requests end before it cuts them.
import { buildServer } from '../http/server.ts';
import { UpstreamError } from '../providers/upstream-error.ts';
import { type AllDependencies, serverDependencies } from './server-dependencies.ts';
import type { StartContext } from './start-context.ts';

/** For error events and settles of what was cut. */
const LAST_WORDS_MS = 5_000;
/** Connections that wait to be taken; the system may allow fewer (somaxconn). Beyond it a crowd is reset unheard. */
const BACKLOG = 4_096;

export async function startServer(context: StartContext, dependencies: AllDependencies) {
  const { config, started } = context;
  let draining = false;
  const app = await buildServer(serverDependencies(context, dependencies, () => draining));
  started.add('the server', (graceMs) => closeServer(app, dependencies, { graceMs, logger: context.logger }));
  const address = await app.listen({ port: config.port, host: config.host, backlog: BACKLOG });
  return {
    /** http://host:port */
    address,
    /** New requests are refused from now on. */
    drain: () => void (draining = true),
  };
}

async function closeServer(
  app: Awaited<ReturnType<typeof buildServer>>,
  { admission, live, sessions }: Pick<AllDependencies, 'admission' | 'live' | 'sessions'>,
  { graceMs, logger }: { graceMs: number } & Pick<StartContext, 'logger'>,
): Promise<void> {
  const underWay = { under_way: admission.open };
  if (admission.open > 0) logger.info(underWay, `stopping: what is under way may end, within ${graceMs / 1000} s`);
  const cut = setTimeout(() => cutAll(live), graceMs);
  const force = setTimeout(() => app.server.closeAllConnections(), graceMs + LAST_WORDS_MS);
  // A connection that falls idle later must not keep the process until its client hangs up.
  const idle = setInterval(() => app.server.closeIdleConnections(), 100);
  try {
    // Sessions end by themselves: a closed server does not know them.
    await Promise.all([sessions.drain(), app.close()]);
  } finally {
    clearInterval(idle);
    clearTimeout(cut);
    clearTimeout(force);
  }
}

function cutAll(live: AllDependencies['live']): void {
  for (const cancellation of live) cancellation.cancel(new UpstreamError('timed-out', 'the gateway is stopping'));
}
