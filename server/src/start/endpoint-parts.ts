// What endpoints are given, for requests of clients and for lines of batches alike.
import { Balances } from '../billing/balance.ts';
import type { EndpointParts } from '../endpoints/endpoint.ts';
import { findProvider } from '../providers/registry.ts';
import { responseChannelKeys } from '../store/queries/responses.ts';
import type { StartContext } from './start-context.ts';

export type OwnParts = Pick<EndpointParts, 'catalogue' | 'relay' | 'background' | 'tasks' | 'files' | 'kept'>;

export function endpointParts(
  { config, clock }: StartContext,
  { catalogue, relay, background, tasks, files, kept }: OwnParts,
  batches: EndpointParts['batches'],
): EndpointParts {
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
