// Every public endpoint as it declares itself, by method and path, and the schemas that they share. A new endpoint adds its
// file here; one without a description is shown with a name made of its path, which no test lets pass.
import { accountComponents, accountDescriptions } from './endpoints/account.ts';
import { audioComponents, audioDescriptions } from './endpoints/audio.ts';
import { chatComponents } from './endpoints/chat-components.ts';
import { chatDescriptions } from './endpoints/chat.ts';
import { cohereComponents, cohereDescriptions } from './endpoints/cohere.ts';
import { errorComponents } from './errors.ts';
import { contentComponents, contentDescriptions } from './endpoints/generate-content.ts';
import { imageComponents, imageDescriptions } from './endpoints/images.ts';
import { interactionComponents, interactionDescriptions } from './endpoints/interactions.ts';
import { messageComponents, messageDescriptions } from './endpoints/messages.ts';
import { responseComponents, responseDescriptions } from './endpoints/responses.ts';
import type { Components, Descriptions } from './schema.ts';
import { storedComponents, storedDescriptions } from './endpoints/stored.ts';
import { vectorComponents, vectorDescriptions } from './endpoints/vectors.ts';
import { videoComponents, videoDescriptions } from './endpoints/videos.ts';

export const descriptions: Descriptions = {
  ...chatDescriptions,
  ...responseDescriptions,
  ...messageDescriptions,
  ...contentDescriptions,
  ...interactionDescriptions,
  ...cohereDescriptions,
  ...vectorDescriptions,
  ...imageDescriptions,
  ...audioDescriptions,
  ...videoDescriptions,
  ...storedDescriptions,
  ...accountDescriptions,
};

export const components: Components = {
  ...errorComponents,
  ...chatComponents,
  ...responseComponents,
  ...messageComponents,
  ...contentComponents,
  ...interactionComponents,
  ...cohereComponents,
  ...vectorComponents,
  ...imageComponents,
  ...audioComponents,
  ...videoComponents,
  ...storedComponents,
  ...accountComponents,
};
