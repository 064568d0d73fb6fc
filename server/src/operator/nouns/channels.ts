// /channels: configured upstreams, and a test call to one.
import {
  channel,
  channelClone,
  channelConnect,
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
import { done, failuresOfList, failuresOfName, failuresOfOne, idParams as params, route } from '../operation.ts';
import { auditOfChannelChange } from '../audit-of.ts';
import { shownChannel, testRow, withHealth } from '../records/channel-health.ts';
import { changeChannel, cloneChannel, createChannel, getChannel, writeChannel } from '../records/channels.ts';
import { checkPrices, connectModels } from '../records/connect-models.ts';
import { namesOnList, writeUpstreamModels } from '../records/upstream-models.ts';
import { checkKeys, checkProvider } from '../records/providers.ts';
import { operatorOf } from '../sign-in/authenticate.ts';

const TAG = 'Channels';

export function channelRoutes(app: OperatorApp, dependencies: OperatorDependencies): void {
  const { secretBox, store } = dependencies;
  const shown = (made: ChannelSettings) => shownChannel(dependencies, store.reads, made);

  app.get(
    '/channels',
    route(TAG, 'List channels', { querystring: channelQuery, response: { 200: channelList, ...failuresOfList } }),
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
    route(TAG, 'Create a channel, with the prices of its models where they are given', {
      body: channelConnect,
      response: { 201: channel, ...failuresOfName },
    }),
    async (request, reply) => {
      const { prices, ...input } = request.body;
      checkProvider(input.provider);
      checkKeys(input.provider, input.keys);
      checkPrices(request.body);
      const author = operatorOf(request).name;
      const made = await makeChange(dependencies, author, async (transaction, at) => {
        const answer = await createChannel(transaction, input, { secretBox, at });
        await connectModels(transaction, request.body, { author, at });
        const priced = Object.keys(prices).length > 0 && { prices };
        const audit = { action: 'channel.create', id: answer.id, detail: { ...answer, ...priced } };
        return { answer, audit, notice: 'catalogue' };
      });
      return reply.code(201).send(await shown(made));
    },
  );

  app.post(
    '/channels/:id/clone',
    route(TAG, 'Copy a channel with its keys; the copy is disabled', {
      params,
      body: channelClone,
      response: { 201: channel, ...failuresOfName },
    }),
    async (request, reply) => {
      const { id } = request.params;
      const made = await makeChange(dependencies, operatorOf(request).name, async (transaction, at) => {
        const answer = await cloneChannel(transaction, id, { ...request.body, at });
        const audit = { action: 'channel.create', id: answer.id, detail: { ...answer, cloned_from: id } };
        return { answer, audit, notice: 'catalogue' };
      });
      return reply.code(201).send(await shown(made));
    },
  );

  app.get(
    '/channels/:id',
    route(TAG, 'Read a channel', { params, response: { 200: channel, ...failuresOfOne } }),
    async (request) => shown(await getChannel(store.reads, request.params.id)),
  );

  app.patch(
    '/channels/:id',
    route(TAG, 'Change a channel', { params, body: channelPatch, response: { 200: channel, ...failuresOfName } }),
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
    route(TAG, 'Remove a channel', { params, response: { 204: done, ...failuresOfName } }),
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
    route(TAG, 'Ask the upstream of a channel for its models', {
      params,
      response: { 200: upstreamModelList, ...failuresOfOne },
    }),
    async (request) => {
      const { id, models } = await getChannel(store.reads, request.params.id);
      const names = await dependencies.upstreamModels(id);
      return { data: await writeUpstreamModels(store.reads, names, models), next_cursor: null };
    },
  );

  app.post(
    '/channels/preview',
    route(TAG, 'Ask for the models of a channel that is not saved, and test it', {
      body: channelPreview,
      response: { 200: channelPreviewResult, ...failuresOfList },
    }),
    async ({ body }) => {
      checkProvider(body.provider);
      checkKeys(body.provider, body.keys);
      const { models, listError, test } = await dependencies.previewChannel(body);
      const names = models.length === 0 ? await namesOnList(body.provider) : models;
      return {
        data: await writeUpstreamModels(store.reads, names, body.models),
        list_error: listError ?? null,
        test: test ?? null,
      };
    },
  );

  app.post(
    '/channels/:id/test',
    route(TAG, 'Make one real cheap call to a channel', {
      params,
      body: channelTest,
      response: { 200: channelTestResult, ...failuresOfOne },
    }),
    async (request) => {
      const { id, models, health } = await shown(await getChannel(store.reads, request.params.id));
      const { model = firstToTest(models, health.last_test?.model), key_id: keyId } = request.body;
      if (model === undefined) throw invalidRequest('This channel carries no model that could be tested.', 'model');
      if (!Object.hasOwn(models, model)) throw invalidRequest('"model" is not carried by this channel.', 'model');
      const result = await dependencies.testChannel(id, model, keyId);
      await noteTest(store, testRow({ id, model, result, at: unixSeconds(dependencies.clock) }));
      return result;
    },
  );
}

function firstToTest(models: Readonly<Record<string, string>>, last: string | undefined): string | undefined {
  return last !== undefined && Object.hasOwn(models, last) ? last : Object.keys(models)[0];
}

/** Nobody else can be asked what became of a channel's videos, and their money would wait for its deadline. */
async function refuseWhileNeeded(transaction: Transaction, id: string): Promise<void> {
  const live = await countLiveTasks(transaction, id);
  if (live === 0) return;
  const tasks = live === 1 ? '1 video task that is' : `${live} video tasks that are`;
  const message = `This channel has ${tasks} not finished. Disable it, and remove it when they have ended.`;
  throw new GatewayError('conflict', { message });
}
