// /channels/{id}/keys: single keys of a channel.
import {
  channel,
  channelKeyParams,
  channelKeyPatch,
  channelKeysAdd,
  type ChannelSettings,
} from '#contract/channels.ts';
import type { FastifyRequest } from 'fastify';
import type { Transaction } from '../../store/store.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { requireMatch } from '../etag.ts';
import { makeChange } from '../make-change.ts';
import { failuresOfName, idParams, route } from '../operation.ts';
import { auditOfChannelChange } from '../audit-of.ts';
import { shownChannel } from '../records/channel-health.ts';
import { addKeys, changeKey, removeKey } from '../records/channel-keys.ts';
import { getChannel } from '../records/channels.ts';
import { checkKeys } from '../records/providers.ts';
import { operatorOf } from '../sign-in/authenticate.ts';

const TAG = 'Channels';
const response = { 200: channel, ...failuresOfName };

type Work = (transaction: Transaction, before: ChannelSettings) => Promise<ChannelSettings>;

export function channelKeyRoutes(app: OperatorApp, dependencies: OperatorDependencies): void {
  const { secretBox, store } = dependencies;
  const change = async (request: FastifyRequest, id: string, work: Work) => {
    const changed = await makeChange(dependencies, operatorOf(request).name, async (transaction) => {
      const before = await getChannel(transaction, id);
      requireMatch(request, before);
      const answer = await work(transaction, before);
      return { answer, audit: auditOfChannelChange(before, answer, false), notice: 'catalogue' };
    });
    return shownChannel(dependencies, store.reads, changed);
  };

  app.post(
    '/channels/:id/keys',
    route(TAG, 'Add keys to a channel', {
      params: idParams,
      body: channelKeysAdd,
      response: { 201: channel, ...failuresOfName },
    }),
    async (request, reply) => {
      const { keys } = request.body;
      const changed = await change(request, request.params.id, async (transaction, before) => {
        checkKeys(before.provider, keys);
        return addKeys(transaction, before, { keys, secretBox });
      });
      return reply.code(201).send(changed);
    },
  );

  app.patch(
    '/channels/:id/keys/:key_id',
    route(TAG, 'Disable or enable a key of a channel', { params: channelKeyParams, body: channelKeyPatch, response }),
    async (request) => {
      const { id, key_id: keyId } = request.params;
      return change(request, id, (transaction, before) => changeKey(transaction, before, { keyId, ...request.body }));
    },
  );

  app.delete(
    '/channels/:id/keys/:key_id',
    route(TAG, 'Remove a key of a channel', { params: channelKeyParams, response }),
    async (request) => {
      const { id, key_id: keyId } = request.params;
      return change(request, id, (transaction, before) => removeKey(transaction, before, keyId));
    },
  );
}
