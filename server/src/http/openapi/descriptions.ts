// Every public endpoint as it declares itself, by method and path, and the schemas that they share. A new endpoint adds its
// file here; one without a description is shown with a name made of its path, which no test lets pass.
import { accountComponents, accountDescriptions } from './account.ts';
import { audioComponents, audioDescriptions } from './audio.ts';
import { chatComponents, chatDescriptions } from './chat.ts';
import { errorComponents } from './errors.ts';
import { contentComponents, contentDescriptions } from './generate-content.ts';
import { imageComponents, imageDescriptions } from './images.ts';
import { messageComponents, messageDescriptions } from './messages.ts';
import { responseComponents, responseDescriptions } from './responses.ts';
import type { Components, Descriptions } from './schema.ts';
import { storedComponents, storedDescriptions } from './stored.ts';
import { vectorComponents, vectorDescriptions } from './vectors.ts';
import { videoComponents, videoDescriptions } from './videos.ts';

export const descriptions: Descriptions = {
  ...chatDescriptions,
  ...responseDescriptions,
  ...messageDescriptions,
  ...contentDescriptions,
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
  ...vectorComponents,
  ...imageComponents,
  ...audioComponents,
  ...videoComponents,
  ...storedComponents,
  ...accountComponents,
};
