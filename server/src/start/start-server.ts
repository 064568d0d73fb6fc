// The HTTP server: listens, and at a stop lets requests end before it cuts them.
import { buildServer } from '../http/server.ts';
import { handleOf } from '../shared/runtime/handle-pipe.ts';
import { UpstreamError } from '../providers/upstream-error.ts';
import { type AllDependencies, serverDependencies } from './server-dependencies.ts';
import type { StartContext } from './start-context.ts';

/** For error events and settles of what was cut. */
const LAST_WORDS_MS = 5_000;
/**
 * A relieved server keeps idle connections open for so long: who asks again meanwhile is served, and asked to come over a new
 * connection. Closed at once, a connection might be reset while a request is on its way.
 */
const COME_BACK_MS = 3_000;
/** Connections that wait to be taken; the system may allow fewer (somaxconn). Beyond it a crowd is reset unheard. */
export const BACKLOG = 4_096;

export async function startServer(context: StartContext, dependencies: AllDependencies) {
  const { config, started } = context;
  let draining = false;
  let relieved = false;
  const app = await buildServer(serverDependencies(context, dependencies, () => draining));
  started.add('the server', (graceMs) => closeServer(app, dependencies, { graceMs, relieved, logger: context.logger }));
  const address = await app.listen({ port: config.port, host: config.host, backlog: BACKLOG, ...context.listener });
  if (context.listener !== undefined) handleOf(app.server)?.listen?.(BACKLOG); // which Node does not pass on then
  return {
    /** http://host:port */
    address,
    /** New requests are refused from now on. */
    drain: () => void (draining = true),
    /** Another process serves the same port: at its stop, clients are given time to leave by themselves. */
    relieve: () => void (relieved = true),
    listener: () => handleOf(app.server),
  };
}

async function closeServer(
  app: Awaited<ReturnType<typeof buildServer>>,
  { admission, live, sessions }: Pick<AllDependencies, 'admission' | 'live' | 'sessions'>,
  { graceMs, relieved, logger }: { graceMs: number; relieved: boolean } & Pick<StartContext, 'logger'>,
): Promise<void> {
  const underWay = { under_way: admission.open };
  if (admission.open > 0) logger.info(underWay, `stopping: what is under way may end, within ${graceMs / 1000} s`);
  const cut = setTimeout(() => cutAll(live), graceMs);
  const force = setTimeout(() => app.server.closeAllConnections(), graceMs + LAST_WORDS_MS);
  const closeIdle = app.server.closeIdleConnections.bind(app.server);
  if (relieved) app.server.closeIdleConnections = () => {}; // node:http closes them with the server
  const closeIdleFrom = performance.now() + (relieved ? COME_BACK_MS : 0);
  // A connection that falls idle later must not keep the process until its client hangs up.
  const idle = setInterval(() => {
    if (performance.now() >= closeIdleFrom) closeIdle();
  }, 100);
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
