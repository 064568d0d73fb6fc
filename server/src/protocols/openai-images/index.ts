// Images of the compatible protocol, made or edited: nothing but the list of its parts.
import type { Form } from '../../neutral/form.ts';
import { writeForm } from '../json/form-request.ts';
import { writeJson } from '../json/write-json.ts';
import { namedObjects } from '../json/named-objects.ts';
import { readComplaint, typedErrorEvent } from '../openai-chat/error.ts';
import type { Protocol, ReadRequest, RelayRequest } from '../protocol.ts';
import {
  type ImageRequest,
  readEditForm,
  readEditRequest,
  readGenerationRequest,
  readVariationForm,
} from './read-request.ts';
import { readImagesAnswer } from './read-answer.ts';
import { ImageStreamReader } from './relay-stream.ts';
import { EDITED_NAME, fixedFields } from './wire.ts';

export const imageGenerations: Protocol = {
  name: 'openai-images',
  operation: 'image-generation',
  units: ['image', 'tokens', 'request'],
  answers: 'whole',
  mayAnswerWhole: true,
  readAnswer: readImagesAnswer,
  readComplaint,
  errorEvent: typedErrorEvent,
};

export const imageEdits: Protocol = { ...imageGenerations, operation: 'image-edit' };

export const imageVariations: Protocol = { ...imageGenerations, operation: 'image-variation' };

/** Each of these throws a GatewayError that names the field. */
export function readGeneration(body: Buffer): RelayRequest {
  return fromJson(readGenerationRequest(body));
}

export function readJsonEdit(body: Buffer): RelayRequest {
  return fromJson(readEditRequest(body));
}

export function readFormEdit(form: Form): RelayRequest {
  return fromForm(form, readEditForm(form));
}

export function readFormVariation(form: Form): RelayRequest {
  return fromForm(form, readVariationForm(form));
}

function fromForm(form: Form, request: ImageRequest): RelayRequest {
  const images = form.parts.map(({ name }) => name).filter((name) => EDITED_NAME.test(name));
  const fixed = new Set([...fixedFields, ...images]);
  return {
    ...request,
    write: (target) => writeForm({ form, model: request.model, fixed }, target),
    readStream: () => new ImageStreamReader(request.choices),
  };
}

function fromJson({ json, ...request }: ReadRequest): RelayRequest {
  return {
    ...request,
    namedObjects: () => namedObjects(json),
    write: (target) => writeJson({ json, model: request.model, fixed: fixedFields }, target),
    readStream: () => new ImageStreamReader(request.choices),
  };
}
