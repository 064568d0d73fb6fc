// How channels fare right now, asked every few seconds while somebody looks.
import { queryOptions } from '@tanstack/react-query';
import { type ChannelHealth, channelHealthList } from '#contract/channel-health.ts';
import { callApi } from './api-client.ts';

export const healthQuery = queryOptions({
  queryKey: ['/channel-health'],
  refetchInterval: 3_000,
  queryFn: async ({ signal }): Promise<ReadonlyMap<string, ChannelHealth>> => {
    const { data } = await callApi('GET', '/channel-health', { schema: channelHealthList, signal });
    return new Map(data.map((health) => [health.channel_id, health]));
  },
});
