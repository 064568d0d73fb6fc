// `video`: submits a task, shows how far it is, and fetches the film.
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command } from 'commander';
import { callPublic, readAnswer } from '../connection.ts';
import { printJson } from '../output.ts';
import { requireWritable } from '../output-file.ts';
import { Progress } from '../progress.ts';
import { Refused } from '../refused.ts';

interface Video {
  id: string;
  status: string;
  progress?: number;
  error?: { message?: string } | null;
}

interface VideoOptions {
  model?: string;
  task?: string;
  output: string;
  seconds?: string;
  size?: string;
  image?: string;
  json?: boolean;
}

const LOOK_MS = 2_000;
/** A gateway that restarts is away for a moment. */
const LOOKS_WITHOUT_ANSWER = 15;

export function videoCommand(): Command {
  return new Command('video')
    .description('make a video (needs TOLLGATE_TOKEN)')
    .argument('[prompt...]')
    .option('--model <model>', 'model to ask')
    .option('-o, --output <file>', 'where the film goes', 'video.mp4')
    .option('--seconds <number>', 'length')
    .option('--size <WxH>', 'size')
    .option('--image <url>', 'first picture')
    .option('--task <id>', 'a video that was begun before: wait for it and fetch it')
    .action(async (words: string[], options: VideoOptions, command: Command) => {
      if (options.task === undefined && options.model === undefined)
        command.error("error: required option '--model <model>' not specified");
      if (options.task === undefined && words.length === 0) command.error("error: missing required argument 'prompt'");
      await requireWritable(options.output);
      const begun = options.task === undefined ? await submit(words, options) : await look(options.task);
      const video = await finish(begun, options.output);
      if (options.json === true) printJson({ ...video, file: options.output });
      else process.stdout.write(`${options.output}\n`);
    });
}

async function submit(words: string[], { model, seconds, size, image }: VideoOptions): Promise<Video> {
  const body = { model, prompt: words.join(' '), seconds, size, input_reference: image };
  return readAnswer<Video>(await callPublic('/v1/videos', { method: 'POST', body }));
}

/** The task goes on without this command, and is charged: the error says how to fetch it. */
async function finish(begun: Video, output: string): Promise<Video> {
  try {
    const video = await waitFor(begun);
    const response = await callPublic(`/v1/videos/${encodeURIComponent(video.id)}/content`);
    if (response.body === null) throw new Refused('the film is empty.');
    await pipeline(Readable.fromWeb(response.body), createWriteStream(output));
    return video;
  } catch (error) {
    if (error instanceof TaskFailed) throw error;
    const { message } = error as Error;
    throw new Refused(`${message}\nThe task goes on. Fetch it with: tollgate video --task ${begun.id} -o ${output}`);
  }
}

class TaskFailed extends Refused {}

async function waitFor(first: Video): Promise<Video> {
  const bar = new Progress(first.id);
  let video = first;
  let unanswered = 0;
  while (video.status !== 'completed') {
    if (video.status === 'failed') {
      bar.end();
      throw new TaskFailed(`the task failed: ${video.error?.message ?? 'no reason given'}`);
    }
    bar.show(video.progress ?? 0, video.status);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    try {
      video = await look(first.id);
      unanswered = 0;
    } catch (error) {
      if (!mayPass(error) || ++unanswered > LOOKS_WITHOUT_ANSWER) throw error;
    }
  }
  bar.show(100, video.status);
  bar.end();
  return video;
}

async function look(id: string): Promise<Video> {
  return readAnswer<Video>(await callPublic(`/v1/videos/${encodeURIComponent(id)}`));
}

/** No answer at all, too many questions, or a gateway that is not well. */
function mayPass(error: unknown): boolean {
  return error instanceof Refused && (error.status === undefined || error.status === 429 || error.status >= 500);
}
