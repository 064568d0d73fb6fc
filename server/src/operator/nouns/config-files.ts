// /config-files: configuration files that `tollgate apply` has applied, and how what is there differs by now.
import { z } from 'zod';
import { appliedConfigList, appliedConfigPut } from '#contract/config-file.ts';
import { line } from '#contract/values/text.ts';
import { putAppliedConfig } from '../../store/queries/applied-configs.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { makeChange } from '../make-change.ts';
import { done, failures, failuresOfList, route } from '../operation.ts';
import { idsOf, readAppliedConfigs } from '../records/config-drift.ts';
import { operatorOf } from '../sign-in/authenticate.ts';

const TAG = 'Configuration files';
const params = z.strictObject({ name: line(100) });

export function configFileRoutes(app: OperatorApp, dependencies: OperatorDependencies): void {
  app.get(
    '/config-files',
    route(TAG, 'List configuration files that were applied, with what has changed since', {
      response: { 200: appliedConfigList, ...failuresOfList },
    }),
    async () => ({ data: await readAppliedConfigs(dependencies.store.lists), next_cursor: null }),
  );

  app.put(
    '/config-files/:name',
    route(TAG, 'Note that a configuration file was applied; it changes nothing else', {
      params,
      body: appliedConfigPut,
      response: { 204: done, ...failures },
    }),
    async (request, reply) => {
      const { name } = request.params;
      const author = operatorOf(request).name;
      const { content, left, path } = request.body;
      const ids = await idsOf(dependencies.store.lists, content);
      await makeChange(dependencies, author, async (transaction, at) => {
        await putAppliedConfig(transaction, { name, content, applied_by: author, applied_at: at, ids, left, path });
        return { answer: undefined, audit: { action: 'config_file.apply', id: name, detail: {} }, notice: null };
      });
      return reply.code(204).send();
    },
  );
}
