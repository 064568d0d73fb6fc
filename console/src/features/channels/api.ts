// What the console asks of /channels.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { type Channel, channel, channelTestResult } from '#contract/channels.ts';
import { callApi } from '../../lib/api-client.ts';
import { forget } from '../../lib/lists.ts';

const path = (id: string) => `/channels/${encodeURIComponent(id)}`;

export const channelQuery = (id: string) =>
  queryOptions({
    queryKey: ['/channels', 'one', id],
    queryFn: ({ signal }) => callApi('GET', path(id), { schema: channel, signal }),
    refetchInterval: 10_000,
  });

/** undefined = a new channel. */
export function useSaveChannel(before: Channel | undefined) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: object) =>
      before === undefined
        ? callApi('POST', '/channels', { schema: channel, body })
        : callApi('PATCH', path(before.id), { schema: channel, body, etag: before.etag }),
    onSuccess: () => forget(client, '/channels', '/channel-health'),
  });
}

export function useRemoveChannel({ id, etag }: Channel) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi('DELETE', path(id), { schema: z.undefined(), etag }),
    onSuccess: () => forget(client, '/channels'),
  });
}

export function useTestChannel(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (model: string) => callApi('POST', `${path(id)}/test`, { schema: channelTestResult, body: { model } }),
    onSuccess: () => forget(client, '/channels', '/channel-health'),
  });
}
