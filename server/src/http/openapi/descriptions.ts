// Every public endpoint as it declares itself, by method and path, and the schemas that they share. A new endpoint adds its
// file here; one without a description is shown with a name made of its path, which no test lets pass.
import * as account from './endpoints/account.ts';
import * as audio from './endpoints/audio.ts';
import * as chat from './endpoints/chat.ts';
import * as cohere from './endpoints/cohere.ts';
import * as content from './endpoints/generate-content.ts';
import * as images from './endpoints/images.ts';
import * as interactions from './endpoints/interactions.ts';
import * as messages from './endpoints/messages.ts';
import * as responses from './endpoints/responses.ts';
import * as stored from './endpoints/stored.ts';
import * as vectors from './endpoints/vectors.ts';
import * as videos from './endpoints/videos.ts';
import { errorComponents } from './errors.ts';
import type { Components, Descriptions } from './schema.ts';

const described = [chat, responses, messages, content, interactions, cohere, vectors, images, audio, videos, account];

export const descriptions: Descriptions = Object.assign(
  {},
  stored.descriptions,
  ...described.map((one) => one.descriptions),
);
export const components: Components = Object.assign({}, errorComponents, ...described.map((one) => one.components));
