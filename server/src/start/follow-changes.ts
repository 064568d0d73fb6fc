// What operators change reaches this process: the catalogue and the known tokens, and the watch that keeps both current.
import { Authenticator } from '../access/authenticate.ts';
import { ChangeWatch } from '../access/change-watch.ts';
import { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import { loadCatalogue } from '../catalogue/load-catalogue.ts';
import type { SandboxProvider } from '../sandbox/server.ts';
import type { Data } from './open-data.ts';
import type { Telemetry } from './open-telemetry.ts';
import type { StartContext } from './start-context.ts';

export type Changes = Awaited<ReturnType<typeof followChanges>>;

export async function followChanges(
  { config, clock, errors, others, started }: StartContext,
  { store, secretBox, sandboxUrl, metrics, tracing }: Data & Telemetry,
) {
  const authenticator = new Authenticator({ reads: store.reads, clock });
  const catalogue = await LiveCatalogue.open(() =>
    loadCatalogue(store.reads, {
      sandbox: config.sandbox,
      sandboxBaseUrl: (provider) => sandboxUrl?.(provider as SandboxProvider),
      secretBox,
    }),
  );
  let known = catalogue.current.channels;
  let byId = new Map(known.map((channel) => [channel.id, channel]));
  const channelOf = (id: string) => {
    if (known !== catalogue.current.channels) {
      known = catalogue.current.channels;
      byId = new Map(known.map((channel) => [channel.id, channel]));
    }
    return byId.get(id);
  };
  if (tracing !== undefined) tracing.channelOf = channelOf;
  metrics.channelName = (id) => channelOf(id)?.name ?? 'removed';
  metrics.providerOf = (id) => channelOf(id)?.provider ?? 'removed';
  metrics.isModel = (id) => catalogue.current.models.has(id);
  const watch = new ChangeWatch({
    reads: store.reads,
    listen: (onNotice) => store.listen(onNotice),
    onToken: (id) => authenticator.forgetToken(id),
    onAccount: (id) => authenticator.forgetAccount(id),
    onCatalogue: () => catalogue.refresh(),
    async onGap() {
      authenticator.forgetAll();
      await catalogue.refresh();
    },
    onError: (error) => errors.tell(error, 'change notices cannot be read'),
  });
  started.add('change notices', () => watch.stop());
  await watch.start();
  await catalogue.refresh(); // what changed between the first load and the start of the watch
  /** A change by an operator is known here, and to the other workers of this node, before it is answered. */
  const onChange = async (): Promise<void> => {
    await Promise.all([watch.poll(), others?.refreshAll()]);
  };
  return { authenticator, catalogue, watch, onChange };
}
