// `video`: submits a task, shows how far it is, and fetches the film.
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command } from 'commander';
import { callPublic } from '../connection.ts';
import { printJson } from '../output.ts';
import { Progress } from '../progress.ts';
import { Refused } from '../refused.ts';

interface Video {
  id: string;
  status: string;
  progress?: number;
  error?: { message?: string } | null;
}

interface VideoOptions {
  model: string;
  output: string;
  seconds?: string;
  size?: string;
  image?: string;
  json?: boolean;
}

const LOOK_MS = 2_000;

export function videoCommand(): Command {
  return new Command('video')
    .description('make a video (needs TOLLGATE_TOKEN)')
    .requiredOption('--model <model>', 'model to ask')
    .argument('<prompt...>')
    .option('-o, --output <file>', 'where the film goes', 'video.mp4')
    .option('--seconds <number>', 'length')
    .option('--size <WxH>', 'size')
    .option('--image <url>', 'first picture')
    .action(async (words: string[], options: VideoOptions) => {
      const { model, seconds, size, image } = options;
      const body = { model, prompt: words.join(' '), seconds, size, input_reference: image };
      const submitted = await callPublic('/v1/videos', { method: 'POST', body });
      const video = await waitFor((await submitted.json()) as Video);
      const response = await callPublic(`/v1/videos/${encodeURIComponent(video.id)}/content`);
      if (response.body === null) throw new Refused('the film is empty.');
      await pipeline(Readable.fromWeb(response.body), createWriteStream(options.output));
      if (options.json === true) printJson({ ...video, file: options.output });
      else process.stdout.write(`${options.output}\n`);
    });
}

async function waitFor(first: Video): Promise<Video> {
  const bar = new Progress(first.id);
  let video = first;
  while (video.status !== 'completed') {
    if (video.status === 'failed') {
      bar.end();
      throw new Refused(`the task failed: ${video.error?.message ?? 'no reason given'}`);
    }
    bar.show(video.progress ?? 0, video.status);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const response = await callPublic(`/v1/videos/${encodeURIComponent(first.id)}`);
    video = (await response.json()) as Video;
  }
  bar.show(100, video.status);
  bar.end();
  return video;
}
