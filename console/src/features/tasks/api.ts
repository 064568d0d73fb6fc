// What the console asks of /tasks.
import { queryOptions } from '@tanstack/react-query';
import { deliveryList, type Task, task } from '#contract/tasks.ts';
import { callApi } from '../../lib/api-client.ts';
import { gatewayUrl } from '../../lib/addresses.ts';

/** Milliseconds between looks at what is still moving. */
export const LIVE_MS = 2_000;

export function isLive({ status }: Pick<Task, 'status'>): boolean {
  return status !== 'SUCCESS' && status !== 'FAILURE';
}

const pathOf = (id: string) => `/tasks/${encodeURIComponent(id)}`;

export const taskQuery = (id: string) =>
  queryOptions({
    queryKey: ['/tasks', 'one', id],
    queryFn: ({ signal }) => callApi('GET', pathOf(id), { schema: task, signal }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isLive(data) ? LIVE_MS : false),
  });

/** Deliveries begin when the task ends and may go on for a day. */
export const deliveriesQuery = (id: string) =>
  queryOptions({
    queryKey: ['/tasks', 'deliveries', id],
    queryFn: async ({ signal }) =>
      (await callApi('GET', `${pathOf(id)}/deliveries`, { schema: deliveryList, signal })).data,
    refetchInterval: 5_000,
  });

export function videoAddress(id: string): string {
  return `${gatewayUrl}/operator/v1${pathOf(id)}/content`;
}
