// GET /v1/videos/{task_id}, and with /content the video itself (spec 2.4, 4.1).
import { GatewayError } from '../../errors/gateway-error.ts';
import { writeVideo } from '../../protocols/videos/write-response.ts';
import { getOwnTask } from '../../tasks/list-tasks.ts';
import type { Endpoint } from '../endpoint.ts';
import { sendContent } from './send-content.ts';

export const getVideo: Endpoint = async ({ tasks }, exchange) => {
  const [id = '', ...rest] = exchange.wildcard.split('/');
  if (rest.length === 0)
    return exchange.sendJson(writeVideo(await getOwnTask(tasks, exchange.principal.accountId, id)));
  if (rest.length > 1 || rest[0] !== 'content') throw new GatewayError('not_found');
  await sendContent(tasks, exchange, id);
};
