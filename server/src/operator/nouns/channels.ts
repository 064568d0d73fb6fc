// /channels: configured upstreams, and a test call to one.
import {
  type Channel,
  channel,
  channelCreate,
  channelList,
  channelPatch,
  channelQuery,
  type ChannelSettings,
  channelTest,
  channelTestResult,
  channelPreview,
  channelPreviewResult,
  upstreamModelList,
} from '#contract/channels.ts';
import { GatewayError, invalidRequest } from '../../errors/gateway-error.ts';
import { unixSeconds } from '../../shared/clock.ts';
import { deleteChannel, listChannelKeys, listChannels } from '../../store/queries/channels.ts';
import { noteTest } from '../../store/queries/channel-memory.ts';
import { countLiveTasks } from '../../store/queries/tasks.ts';
import type { Transaction } from '../../store/store.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { requireMatch } from '../etag.ts';
import { readCursor, writePage } from '../list-page.ts';
import { makeChange } from '../make-change.ts';
import { done, failuresOfList, failuresOfName, failuresOfOne, idParams as params, operation } from '../operation.ts';
import { auditOfChannelChange } from '../records/channel-audit.ts';
import { NOTHING_KNOWN, testRow, withHealth } from '../records/channel-health.ts';
import { changeChannel, createChannel, getChannel, writeChannel } from '../records/channels.ts';
import { writeUpstreamModels } from '../records/upstream-models.ts';
import { checkKeys, checkProvider } from '../records/providers.ts';
import { operatorOf } from '../sign-in/authenticate.ts';

const TAG = 'Channels';

export function channelRoutes(app: OperatorApp, dependencies: OperatorDependencies): void {
  const { secretBox, store } = dependencies;
  const shown = async (made: ChannelSettings): Promise<Channel> => {
    const [one] = await withHealth(dependencies, store.reads, [made]);
    return one ?? { ...made, health: NOTHING_KNOWN };
  };

  app.get(
    '/channels',
    {
      schema: {
        ...operation(TAG, 'List channels'),
        querystring: channelQuery,
        response: { 200: channelList, ...failuresOfList },
      },
    },
    async ({ query: { limit, cursor, ...filters } }) => {
      checkProvider(filters.provider);
      const rows = await listChannels(store.lists, { ...filters, after: readCursor(cursor), limit: limit + 1 });
      const keys = await listChannelKeys(
        store.lists,
        rows.map((row) => row.id),
      );
      const page = writePage(rows, limit, { key: (row) => row.id, write: (row) => writeChannel(row, keys) });
      return { ...page, data: await withHealth(dependencies, store.lists, page.data) };
    },
  );

  app.post(
    '/channels',
    {
      schema: {
        ...operation(TAG, 'Create a channel'),
        body: channelCreate,
        response: { 201: channel, ...failuresOfName },
      },
    },
    async (request, reply) => {
      checkProvider(request.body.provider);
      checkKeys(request.body.provider, request.body.keys);
      const made = await makeChange(dependencies, operatorOf(request).name, async (transaction, at) => {
        const answer = await createChannel(transaction, request.body, { secretBox, at });
        const audit = { action: 'channel.create', id: answer.id, detail: answer };
        return { answer, audit, notice: 'catalogue' };
      });
      return reply.code(201).send(await shown(made));
    },
  );

  app.get(
    '/channels/:id',
    { schema: { ...operation(TAG, 'Read a channel'), params, response: { 200: channel, ...failuresOfOne } } },
    async (request) => shown(await getChannel(store.reads, request.params.id)),
  );

  app.patch(
    '/channels/:id',
    {
      schema: {
        ...operation(TAG, 'Change a channel'),
        params,
        body: channelPatch,
        response: { 200: channel, ...failuresOfName },
      },
    },
    async (request) => {
      checkProvider(request.body.provider);
      const changed = await makeChange(dependencies, operatorOf(request).name, async (transaction) => {
        const { id } = request.params;
        const before = await getChannel(transaction, id);
        requireMatch(request, before);
        checkKeys(request.body.provider ?? before.provider, request.body.keys);
        const { channel: answer, headersChanged } = await changeChannel(transaction, id, {
          patch: request.body,
          secretBox,
        });
        return { answer, audit: auditOfChannelChange(before, answer, headersChanged), notice: 'catalogue' };
      });
      return shown(changed);
    },
  );

  app.delete(
    '/channels/:id',
    { schema: { ...operation(TAG, 'Remove a channel'), params, response: { 204: done, ...failuresOfName } } },
    async (request, reply) => {
      const { id } = request.params;
      await makeChange(dependencies, operatorOf(request).name, async (transaction) => {
        const detail = await getChannel(transaction, id);
        requireMatch(request, detail);
        await refuseWhileNeeded(transaction, id);
        await deleteChannel(transaction, id);
        return { answer: undefined, audit: { action: 'channel.remove', id, detail }, notice: 'catalogue' };
      });
      return reply.code(204).send();
    },
  );

  app.get(
    '/channels/:id/upstream-models',
    {
      schema: {
        ...operation(TAG, 'Ask the upstream of a channel for its models'),
        params,
        response: { 200: upstreamModelList, ...failuresOfOne },
      },
    },
    async (request) => {
      const { id, models } = await getChannel(store.reads, request.params.id);
      const names = await dependencies.upstreamModels(id);
      return { data: await writeUpstreamModels(names, models), next_cursor: null };
    },
  );

  app.post(
    '/channels/preview',
    {
      schema: {
        ...operation(TAG, 'Ask for the models of a channel that is not saved, and test it'),
        body: channelPreview,
        response: { 200: channelPreviewResult, ...failuresOfList },
      },
    },
    async ({ body }) => {
      checkProvider(body.provider);
      checkKeys(body.provider, body.keys);
      const { models, listError, test } = await dependencies.previewChannel(body);
      return {
        data: await writeUpstreamModels(models, body.models),
        list_error: listError ?? null,
        test: test ?? null,
      };
    },
  );

  app.post(
    '/channels/:id/test',
    {
      schema: {
        ...operation(TAG, 'Make one real cheap call to a channel'),
        params,
        body: channelTest,
        response: { 200: channelTestResult, ...failuresOfOne },
      },
    },
    async (request) => {
      const { id, models } = await getChannel(store.reads, request.params.id);
      const { model } = request.body;
      if (!Object.hasOwn(models, model)) throw invalidRequest('"model" is not carried by this channel.', 'model');
      const result = await dependencies.testChannel(id, model);
      await noteTest(store, testRow({ id, model, result, at: unixSeconds(dependencies.clock) }));
      return result;
    },
  );
}

/** Nobody else can be asked what became of a channel's videos, and their money would wait for its deadline. */
async function refuseWhileNeeded(transaction: Transaction, id: string): Promise<void> {
  const live = await countLiveTasks(transaction, id);
  if (live === 0) return;
  const tasks = live === 1 ? '1 video task that is' : `${live} video tasks that are`;
  const message = `This channel has ${tasks} not finished. Disable it, and remove it when they have ended.`;
  throw new GatewayError('conflict', { message });
}
