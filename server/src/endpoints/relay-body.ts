// POST of every path whose body alone makes the request: chat, completions, vectors, rerank, moderations, images and audio
// (spec 2.7 to 2.10, 4.3 to 4.5). What each of them speaks is in protocols/paths.ts.
import { inlineFiles } from '../files/inline-files.ts';
import { scanAhead } from '../protocols/json/json-request.ts';
import { formPaths, type JsonPath, type JsonPathName, jsonPaths } from '../protocols/paths.ts';
import { relayRequest } from '../relay/relay-request.ts';
import { relayMaking } from '../relay/stored/relay-making.ts';
import type { Endpoint, EndpointDependencies, Exchange } from './endpoint.ts';

/** Messages of these may name files of the account. */
const NAME_FILES: readonly JsonPathName[] = ['/v1/chat/completions', '/v2/chat'];

/** Responses and messages keep conversations, or have a version: they have files of their own. */
export function relayJson(endpoint: Exclude<JsonPathName, '/v1/responses' | '/v1/messages'>): Endpoint {
  const { protocol, read }: JsonPath = jsonPaths[endpoint];
  const namesFiles = NAME_FILES.includes(endpoint);
  return async (dependencies, exchange) => {
    const body = namesFiles ? await readWithFiles(dependencies, exchange) : await exchange.readJson();
    await relayMaking(dependencies.relay, { ...exchange, endpoint, protocol, read: read.bind(undefined, body) });
  };
}

export function relayForm(endpoint: keyof typeof formPaths, options?: { orJson: true }): Endpoint {
  const { protocol, read } = formPaths[endpoint];
  return async ({ relay }, exchange) => {
    const form = await exchange.readForm(options);
    await relayRequest(relay, { ...exchange, endpoint, protocol, read: () => read(form) });
  };
}

const editByJson = relayJson('/v1/images/edits');
const editByForm = relayForm('/v1/images/edits', { orJson: true });

/** A form with files, or JSON with addresses of images. */
export const editImages: Endpoint = (dependencies, exchange) =>
  (exchange.sendsJson ? editByJson : editByForm)(dependencies, exchange);

/** The JSON body of a text request, with files of the account in the place of their ids (contract-2 8). */
export async function readWithFiles(
  { files }: EndpointDependencies,
  { readJson, principal, reserve }: Exchange,
): Promise<Buffer> {
  const body = await readJson();
  const inlined = await inlineFiles(files, { accountId: principal.accountId, reserve }, body);
  if (inlined !== body) await scanAhead(inlined);
  return inlined;
}
