// The request that is sent again, as the playground fills it in.
import { queryOptions } from '@tanstack/react-query';
import { requestBodies } from '#contract/requests.ts';
import { callApi } from '../../lib/api-client.ts';
import { readReplay, type Replayed } from './read-replay.ts';

/** null: no body is kept, or it is cut and cannot be read. */
export const replayQuery = (id: string) =>
  queryOptions({
    queryKey: ['/requests', 'replay', id],
    staleTime: Infinity,
    retry: false,
    queryFn: async ({ signal }): Promise<Replayed | null> => {
      const path = `/requests/${encodeURIComponent(id)}/bodies`;
      const bodies = await callApi('GET', path, { schema: requestBodies, signal }).catch(() => undefined);
      return readReplay(bodies?.request?.text ?? '');
    },
  });
