// What the console asks of channels.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { channelBoard } from '#contract/channel-board.ts';
import {
  type Channel,
  channel,
  channelPreviewResult,
  type ChannelTest,
  channelTestResult,
} from '#contract/channels.ts';
import { callApi } from '../../lib/api-client.ts';
import { forget } from '../../lib/lists.ts';

const path = (id: string) => `/channels/${encodeURIComponent(id)}`;

export const channelQuery = (id: string) =>
  queryOptions({
    queryKey: ['/channels', 'one', id],
    queryFn: ({ signal }) => callApi('GET', path(id), { schema: channel, signal }),
    refetchInterval: 10_000,
  });

/** Its last day, hour by hour and key by key; undefined when it is gone. */
export const channelDayQuery = (id: string) =>
  queryOptions({
    queryKey: ['/channel-board', 'one', id],
    queryFn: async ({ signal }) => {
      const { data } = await callApi('GET', '/channel-board', { schema: channelBoard, query: { q: id }, signal });
      return data.find((row) => row.id === id) ?? null;
    },
    refetchInterval: 15_000,
  });

const CHANGED = ['/channels', '/channel-board', '/channel-health'];

export function useSaveChannel(before: Channel) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: object) => callApi('PATCH', path(before.id), { schema: channel, body, etag: before.etag }),
    onSuccess: () => forget(client, ...CHANGED),
  });
}

/** A new channel with the prices of its models. */
export function useConnect() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: object) => callApi('POST', '/channels', { schema: channel, body }),
    onSuccess: () => forget(client, ...CHANGED, '/models'),
  });
}

/** Models, and with `model` a test call, of a channel that is not saved. */
export function usePreview() {
  return useMutation({
    mutationFn: (body: object) => callApi('POST', '/channels/preview', { schema: channelPreviewResult, body }),
  });
}

export function useCloneChannel(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => callApi('POST', `${path(id)}/clone`, { schema: channel, body: { name } }),
    onSuccess: () => forget(client, ...CHANGED),
  });
}

export function useRemoveChannel({ id, etag }: Channel) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi('DELETE', path(id), { schema: z.undefined(), etag }),
    onSuccess: () => forget(client, ...CHANGED),
  });
}

/** Changes of single keys. Also after a refusal the page shows what is there now. */
export function useChangeKeys({ id, etag }: Channel) {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: ({ method, keyId, body }: { method: string; keyId?: string; body?: object }) => {
      const one = keyId === undefined ? '' : `/${encodeURIComponent(keyId)}`;
      return callApi(method, `${path(id)}/keys${one}`, { schema: channel, etag, ...(body !== undefined && { body }) });
    },
    onSettled: () => forget(client, ...CHANGED),
  });
  return {
    busy: change.isPending,
    add: (keys: string[]) => change.mutateAsync({ method: 'POST', body: { keys } }),
    setStatus: (keyId: string, status: 'enabled' | 'disabled') =>
      change.mutateAsync({ method: 'PATCH', keyId, body: { status } }),
    remove: (keyId: string) => change.mutateAsync({ method: 'DELETE', keyId }),
  };
}

export function testChannel(id: string, test: ChannelTest) {
  return callApi('POST', `${path(id)}/test`, { schema: channelTestResult, body: test });
}

export function useTestChannel(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (test: ChannelTest) => testChannel(id, test),
    onSuccess: () => forget(client, ...CHANGED),
  });
}
