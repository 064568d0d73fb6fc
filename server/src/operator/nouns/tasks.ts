// /tasks: video tasks, what happened to them, and the deliveries of their webhooks.
import { deliveryList, task, taskList, taskQuery } from '#contract/tasks.ts';
import { errorAnswer } from '#contract/values/errors.ts';
import { unixSeconds } from '../../shared/clock.ts';
import { listTasks, stuckSince } from '../../store/queries/tasks.ts';
import { listDeliveries } from '../../store/queries/webhooks.ts';
import { statesShownAs } from '../../tasks/task.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { idsOfRows, readCursor, withNames, writePage } from '../list-page.ts';
import { failuresOfList, failuresOfOne, idParams, route } from '../operation.ts';
import { getTask, readHistory, writeDelivery, writeTask } from '../records/tasks.ts';
import { sendVideo } from '../send-video.ts';

const TAG = 'Tasks';

export function taskRoutes(app: OperatorApp, dependencies: OperatorDependencies): void {
  const {
    store: { reads, lists },
    clock,
  } = dependencies;
  app.get(
    '/tasks',
    route(TAG, 'List video tasks, newest first', {
      querystring: taskQuery,
      response: { 200: taskList, ...failuresOfList },
    }),
    async ({ query }) => {
      const { limit, cursor, status, model } = query;
      const at = unixSeconds(clock);
      const rows = await listTasks(lists, {
        accountId: query.account_id,
        channelId: query.channel_id,
        tokenId: query.token_id,
        model,
        from: query.from,
        to: query.to,
        live: query.live === 'true',
        stuck: query.stuck === 'true' ? stuckSince(at) : undefined,
        states: status === undefined ? undefined : statesShownAs(status),
        withDeleted: true,
        after: readCursor(cursor),
        limit: limit + 1,
      });
      const history = await readHistory(lists, rows);
      const page = writePage(rows, limit, { key: (row) => row.id, write: (row) => writeTask(row, history, at) });
      return withNames(lists, page, idsOfRows);
    },
  );

  app.get(
    '/tasks/:id',
    route(TAG, 'Read a video task', { params: idParams, response: { 200: task, ...failuresOfOne } }),
    async ({ params: { id } }) => getTask(reads, id, unixSeconds(clock)),
  );

  app.get(
    '/tasks/:id/content',
    route(TAG, 'The video of a finished task, whole or a range', {
      params: idParams,
      response: { ...failuresOfOne, 409: errorAnswer, 410: errorAnswer, 502: errorAnswer },
    }),
    (request, reply) => sendVideo(dependencies, { id: request.params.id, request, reply }),
  );

  app.get(
    '/tasks/:id/deliveries',
    route(TAG, 'List what was sent to webhooks about a task', {
      params: idParams,
      response: { 200: deliveryList, ...failuresOfOne },
    }),
    async ({ params: { id } }) => {
      await getTask(reads, id, unixSeconds(clock));
      return { data: (await listDeliveries(reads, id)).map(writeDelivery), next_cursor: null };
    },
  );
}
