// Interactions of generate-content providers: passed on to upstreams that have them. Nothing but the list of their parts.
import { readComplaint } from '../gemini-generate-content/error.ts';
import { sourcesIn } from '../json/body-names.ts';
import { type NamedObject, namedObjects } from '../json/named-objects.ts';
import { presentField, readValue } from '../json/json-request.ts';
import { serverToolsOf } from '../json/server-tools.ts';
import { writeJson } from '../json/write-json.ts';
import type { Protocol, RelayRequest } from '../protocol.ts';
import { readInteractionAnswer } from './read-answer.ts';
import { type InteractionRequest, readInteractionRequest } from './read-request.ts';
import { errorEvent, readInteractionStream } from './relay-stream.ts';
import { fixedFields, INTERACTIONS, toolFields } from './wire.ts';

export { idOfEvents, idOfInteraction, idOfUnfinished, readInteractionState } from './read-answer.ts';

export const geminiInteractions: Protocol = {
  name: INTERACTIONS,
  operation: 'interactions',
  units: ['tokens', 'request'],
  answers: 'whole',
  readAnswer: readInteractionAnswer,
  readComplaint,
  tierFields: ['service_tier'],
  errorEvent,
};

/** Throws a GatewayError that names the field. */
export function readInteraction(body: Buffer): RelayRequest & InteractionRequest {
  const request = readInteractionRequest(body);
  const { json, model, namesAgent } = request;
  return {
    ...request,
    write(target) {
      if (!namesAgent) return writeJson({ json, model, fixed: fixedFields }, target);
      const changes = { agent: JSON.stringify(target.upstreamModel) };
      return writeJson({ json, model: target.upstreamModel, fixed: fixedFields, changes }, target);
    },
    ...sourcesIn(body),
    serverTools: serverToolsOf(json, toolFields),
    namedObjects: () => objectsIn(request),
    readStream: readInteractionStream,
  };
}

/** Files are named by `uri` here, and an environment by its id. */
function objectsIn({ json }: InteractionRequest): readonly NamedObject[] {
  const named = namedObjects(json, { uris: true });
  if (presentField(json, 'environment')?.kind !== 'string') return named;
  return [...named, { id: readValue(json, 'environment') as string, field: 'environment', soft: false }];
}
