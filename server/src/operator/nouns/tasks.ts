// /tasks: video tasks, what happened to them, and the deliveries of their webhooks.
import { deliveryList, task, taskList, taskQuery } from '#contract/tasks.ts';
import { listTasks } from '../../store/queries/tasks.ts';
import { listDeliveries } from '../../store/queries/webhooks.ts';
import { statesShownAs } from '../../tasks/task.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { readCursor, writePage } from '../list-page.ts';
import { failures, failuresOfOne, idParams, operation } from '../operation.ts';
import { getTask, readHistory, writeDelivery, writeTask } from '../records/tasks.ts';

const TAG = 'Tasks';

export function taskRoutes(app: OperatorApp, { store: { reads } }: OperatorDependencies): void {
  app.get(
    '/tasks',
    {
      schema: {
        ...operation(TAG, 'List video tasks, newest first'),
        querystring: taskQuery,
        response: { 200: taskList, ...failures },
      },
    },
    async ({ query: { limit, cursor, status, account_id, channel_id, token_id, ...filters } }) => {
      const rows = await listTasks(reads, {
        ...filters,
        accountId: account_id,
        channelId: channel_id,
        tokenId: token_id,
        states: status === undefined ? undefined : statesShownAs(status),
        withDeleted: true,
        after: readCursor(cursor),
        limit: limit + 1,
      });
      const history = await readHistory(reads, rows);
      return writePage(rows, limit, { key: (row) => row.id, write: (row) => writeTask(row, history) });
    },
  );

  app.get(
    '/tasks/:id',
    {
      schema: { ...operation(TAG, 'Read a video task'), params: idParams, response: { 200: task, ...failuresOfOne } },
    },
    async ({ params: { id } }) => getTask(reads, id),
  );

  app.get(
    '/tasks/:id/deliveries',
    {
      schema: {
        ...operation(TAG, 'List what webhooks were told of a task'),
        params: idParams,
        response: { 200: deliveryList, ...failuresOfOne },
      },
    },
    async ({ params: { id } }) => {
      await getTask(reads, id);
      return { data: (await listDeliveries(reads, id)).map(writeDelivery), next_cursor: null };
    },
  );
}
