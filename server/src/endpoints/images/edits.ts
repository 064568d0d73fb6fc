// POST /v1/images/edits and its older path /v1/edits (spec 2.8, 4.4): a form with files, or JSON with addresses of images.
import { imageEdits, readFormEdit, readJsonEdit } from '../../protocols/openai-images/index.ts';
import type { RelayRequest } from '../../protocols/protocol.ts';
import { relayRequest } from '../../relay/relay-request.ts';
import type { Endpoint, Exchange } from '../endpoint.ts';

export const editImages: Endpoint = async ({ relay }, exchange) => {
  const read = await receive(exchange);
  await relayRequest(relay, { ...exchange, endpoint: '/v1/images/edits', protocol: imageEdits, read });
};

async function receive(exchange: Exchange): Promise<() => RelayRequest> {
  if (exchange.sendsJson) {
    const body = await exchange.readJson();
    return () => readJsonEdit(body);
  }
  const form = await exchange.readForm({ orJson: true });
  return () => readFormEdit(form);
}
