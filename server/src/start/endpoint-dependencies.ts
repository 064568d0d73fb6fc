// What endpoints are given, for requests of clients and for lines of batches alike.
import { Balances } from '../billing/balance.ts';
import type { EndpointDependencies } from '../endpoints/endpoint.ts';
import { findProvider } from '../providers/registry.ts';
import { responseChannelKeys } from '../store/queries/responses.ts';
import type { StartContext } from './start-context.ts';

export type OwnDependencies = Pick<
  EndpointDependencies,
  'catalogue' | 'relay' | 'background' | 'tasks' | 'files' | 'kept'
>;

export function endpointDependencies(
  { config, clock }: StartContext,
  { catalogue, relay, background, tasks, files, kept }: OwnDependencies,
  batches: EndpointDependencies['batches'],
): EndpointDependencies {
  const { store } = files;
  return {
    catalogue,
    endpointTypesOf: (provider) => findProvider(provider)?.endpointTypes ?? [],
    responses: responseChannelKeys(store, clock),
    balances: new Balances({ reads: store.reads, clock, currency: config.currency }),
    relay,
    background,
    tasks,
    files,
    kept,
    batches,
    publicUrl: config.baseAddress?.url,
  };
}
