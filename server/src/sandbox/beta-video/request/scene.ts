// Which of the scenes, which exclude one another, the items of `content` make, and whether the model plays it.
import { type ContentItem, type MediaType, readContentItem } from './content-item.ts';
import { refuseField, refuseMissing } from '../error.ts';
import type { Model } from '../models.ts';

export type Scene = {
  kind: 'text' | 'first-frame' | 'first-and-last-frame' | 'reference' | 'draft';
  prompt: string;
  videos: number;
  draftId: string | undefined;
};

type Media = Extract<ContentItem, { type: MediaType }>;

const mostClips = 3;

export function readScene(content: unknown, model: Model): Scene {
  if (content === undefined) refuseMissing('content');
  if (!Array.isArray(content) || content.length === 0) refuseField('content', 'expected an array of items');
  const items = content.map((item: unknown, index) => readContentItem(item, `content[${index}]`));
  const texts = items.filter((item) => item.type === 'text');
  if (texts.length > 1) refuseField('content', 'more than one item of type text');
  const prompt = texts[0]?.text ?? '';
  const [draft] = items.filter((item) => item.type === 'draft_task');
  if (draft !== undefined) {
    if (items.length > 1 || model.generation !== '1.5') refuseField('content', 'draft_task is not supported here');
    return { kind: 'draft', prompt, videos: 0, draftId: draft.id };
  }
  const media = items.filter((item): item is Media => item.type !== 'text' && item.type !== 'draft_task');
  const videos = media.filter(({ type }) => type === 'video_url').length;
  return { kind: chooseKind(media, { prompt, model }), prompt, videos, draftId: undefined };
}

function chooseKind(media: readonly Media[], { prompt, model }: { prompt: string; model: Model }): Scene['kind'] {
  const images = media.filter(({ type }) => type === 'image_url');
  const clips = media.filter(({ type }) => type !== 'image_url');
  if (media.length === 0) {
    if (!model.takesText) refuseField('content', `${model.name} needs an image`);
    if (prompt.trim() === '') refuseMissing('content[].text');
    return 'text';
  }
  const roles = images.map(({ role }) => role);
  // Beside videos and audios an image without a role can only be a reference.
  const areReferences = roles.every((role) => role === 'reference_image' || (clips.length > 0 && role === undefined));
  if (areReferences) return checkReferences({ images, clips, model });
  if (clips.length > 0 || roles.includes('reference_image')) {
    refuseField('content', 'first and last frames cannot be mixed with references');
  }
  if (!model.takesFrames) refuseField('content', `${model.name} takes no images`);
  return checkFrames(roles);
}

function checkFrames(roles: readonly (string | undefined)[]): Scene['kind'] {
  if (roles.length === 1) {
    if (roles[0] === 'last_frame') refuseField('content', 'a last frame needs a first frame');
    return 'first-frame';
  }
  if (roles.length === 2 && roles.includes('first_frame') && roles.includes('last_frame'))
    return 'first-and-last-frame';
  refuseField('content', 'several images need the roles first_frame and last_frame, or all reference_image');
}

type References = { images: readonly Media[]; clips: readonly Media[]; model: Model };

function checkReferences({ images, clips, model }: References): Scene['kind'] {
  const [firstClip] = clips;
  if (firstClip !== undefined && model.generation !== '2.0') {
    refuseField(firstClip.at, `${model.name} takes no videos or audios`);
  }
  if (model.mostReferences === 0) refuseField('content', `${model.name} takes no reference images`);
  if (images.length > model.mostReferences) {
    refuseField('content', `at most ${model.mostReferences} reference images, got ${images.length}`);
  }
  for (const type of ['video_url', 'audio_url']) {
    const count = clips.filter((clip) => clip.type === type).length;
    if (count > mostClips) refuseField('content', `at most ${mostClips} items of type ${type}, got ${count}`);
  }
  if (images.length === 0 && clips.every(({ type }) => type === 'audio_url')) {
    refuseField('content', 'audio needs an image or a video');
  }
  return 'reference';
}
