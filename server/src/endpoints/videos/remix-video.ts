// POST /v1/videos/{task_id}/remix: the same video with another prompt, where its provider can. A task of its own.
import { formText } from '../../protocols/json/form-request.ts';
import { WEBHOOK_FIELD, webhookInJson } from '../../protocols/video/video-request.ts';
import { readRemixForm, readRemixJson } from '../../protocols/videos/read-remix-request.ts';
import { writeVideo } from '../../protocols/videos/write-answer.ts';
import type { Affinity } from '../../relay/call.ts';
import { findRemixSource } from '../../tasks/submit/remix-source.ts';
import { submitTask } from '../../tasks/submit/submit-task.ts';
import { viewTask } from '../../tasks/task.ts';
import type { Endpoint, Exchange } from '../endpoint.ts';

export const remixVideo: Endpoint = async ({ tasks }, exchange) => {
  const { principal, wildcard: id } = exchange;
  const receive = await receiver(exchange);
  const affinity: Affinity = { only: undefined, taken: undefined };
  const task = await submitTask(tasks, {
    ...exchange,
    endpoint: '/v1/videos/{id}/remix',
    affinity,
    async read() {
      const { source, model, channelKey } = await findRemixSource(tasks, principal, id);
      affinity.only = channelKey;
      const { prompt, unknown, webhookUrl } = receive();
      return { request: { ...NOTHING_ELSE, model, prompt, unknown, remix: source }, webhookUrl };
    },
  });
  exchange.sendJson(writeVideo(viewTask(task)));
};

/** A remix keeps all but the prompt. */
const NOTHING_ELSE = {
  images: [],
  image: undefined,
  inputReference: undefined,
  seconds: undefined,
  duration: undefined,
  size: undefined,
  mode: undefined,
  metadata: {},
};

interface Received {
  prompt: string;
  unknown: readonly string[];
  webhookUrl: unknown;
}

async function receiver(exchange: Exchange): Promise<() => Received> {
  if (exchange.sendsJson) {
    const body = await exchange.readJson();
    return () => ({ ...readRemixJson(body), webhookUrl: webhookInJson(body) });
  }
  const form = await exchange.readForm({ orJson: true });
  return () => ({ ...readRemixForm(form), webhookUrl: formText(form, WEBHOOK_FIELD) });
}
