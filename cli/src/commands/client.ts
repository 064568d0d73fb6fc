// What a client does with a token: chat, image, speak, transcribe, embed, quote, usage.
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { callPublic, readAnswer, readBytes } from '../connection.ts';
import { formatOfBytes, formatOfEnding } from '../media-format.ts';
import { requireWritable } from '../output-file.ts';
import { type Fact, printFacts, printJson, withTimes } from '../output.ts';
import { Refused } from '../refused.ts';
import { readEvents } from '../sse-events.ts';

interface Common {
  model: string;
  json?: boolean;
}

interface Saved extends Common {
  output: string;
}

export function clientCommands(): Command[] {
  return [chat(), image(), speak(), transcribe(), embed(), quote(), usage()];
}

function clientCommand(name: string, description: string): Command {
  return new Command(name)
    .description(`${description} (needs TOLLGATE_TOKEN)`)
    .requiredOption('--model <model>', 'model to ask');
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('It must be a whole number above 0.');
  return value;
}

function jsonObject(text: string): object {
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // As below.
  }
  throw new InvalidArgumentError('It must be a JSON object.');
}

function chat(): Command {
  return clientCommand('chat', 'ask a model, the answer streams')
    .argument('<text...>')
    .option('--system <text>', 'the system prompt')
    .option('--max-tokens <number>', 'longest answer', wholeNumber)
    .action(async (words: string[], options: Common & { system?: string; maxTokens?: number }) => {
      const messages = [
        ...(options.system === undefined ? [] : [{ role: 'system', content: options.system }]),
        { role: 'user', content: words.join(' ') },
      ];
      const stream = options.json !== true;
      const body = { model: options.model, messages, stream, max_tokens: options.maxTokens };
      const response = await callPublic('/v1/chat/completions', { method: 'POST', body });
      if (!stream) return printJson(await readAnswer(response));
      for await (const data of readEvents(response)) {
        const event = JSON.parse(data) as ChatEvent;
        if (event.error !== undefined) throw new Refused(event.error.message ?? 'the stream broke off');
        process.stdout.write(event.choices?.[0]?.delta?.content ?? '');
      }
      process.stdout.write('\n');
      return undefined;
    });
}

interface ChatEvent {
  error?: { message?: string };
  choices?: { delta?: { content?: string | null } }[];
}

function image(): Command {
  return clientCommand('image', 'draw a picture')
    .argument('<prompt...>')
    .option('-o, --output <file>', 'where the picture goes', 'image.png')
    .option('--size <WxH>', 'size')
    .action(async (words: string[], options: Saved & { size?: string }) => {
      await requireWritable(options.output);
      // No `response_format`: models that always answer with the bytes refuse it.
      const body = { model: options.model, prompt: words.join(' '), size: options.size };
      const response = await askForFormat('/v1/images/generations', body, {
        field: 'output_format',
        format: formatOfEnding(options.output),
        usual: 'png',
      });
      const { data } = await readAnswer<{ data: { b64_json?: string | null; url?: string | null }[] }>(response);
      const [first] = data;
      const inline = first?.b64_json ?? undefined;
      const bytes = inline === undefined ? await download(first?.url ?? undefined) : Buffer.from(inline, 'base64');
      await save(options, bytes);
    });
}

/** As the ending of the file says. Models that make no such format refuse it: then they make their usual one. */
async function askForFormat(
  path: string,
  body: object,
  { field, format, usual }: { field: string; format: string | undefined; usual: string },
): Promise<Response> {
  if (format === undefined || format === usual) return callPublic(path, { method: 'POST', body });
  try {
    return await callPublic(path, { method: 'POST', body: { ...body, [field]: format } });
  } catch (error) {
    if (!(error instanceof Refused && error.status === 400)) throw error;
    return callPublic(path, { method: 'POST', body });
  }
}

async function download(url: string | undefined): Promise<Buffer> {
  if (url === undefined) throw new Refused('the answer has no picture.');
  const response = await fetch(url).catch((error: unknown) => {
    const { code, message } = ((error as Error).cause ?? error) as { code?: string; message: string };
    throw new Refused(`the picture is at ${url}, and cannot be fetched from here (${code ?? message}).`);
  });
  if (!response.ok) throw new Refused(`the picture is at ${url}, and cannot be fetched from here: ${response.status}.`);
  return readBytes(response);
}

function speak(): Command {
  return clientCommand('speak', 'speak a text')
    .argument('<text...>')
    .option('-o, --output <file>', 'where the sound goes', 'speech.mp3')
    .option('--voice <name>', 'voice', 'alloy')
    .action(async (words: string[], options: Saved & { voice: string }) => {
      await requireWritable(options.output);
      const body = { model: options.model, input: words.join(' '), voice: options.voice };
      const response = await askForFormat('/v1/audio/speech', body, {
        field: 'response_format',
        format: formatOfEnding(options.output),
        usual: 'mp3',
      });
      await save(options, await readBytes(response));
    });
}

function transcribe(): Command {
  return clientCommand('transcribe', 'write down what is said in a sound file')
    .argument('<file>')
    .option('--language <code>', 'language spoken')
    .action(async (file: string, options: Common & { language?: string }) => {
      const bytes = await readFile(file).catch((error: unknown) => {
        throw new Refused((error as Error).message);
      });
      const form = new FormData();
      form.set('model', options.model);
      if (options.language !== undefined) form.set('language', options.language);
      form.set('file', new Blob([bytes]), basename(file));
      const response = await callPublic('/v1/audio/transcriptions', { method: 'POST', form });
      const answer = await readAnswer<{ text: string }>(response);
      if (options.json === true) printJson(answer);
      else process.stdout.write(`${answer.text}\n`);
    });
}

function embed(): Command {
  return clientCommand('embed', 'turn texts into vectors')
    .argument('<text...>')
    .action(async (input: string[], options: Common) => {
      const response = await callPublic('/v1/embeddings', { method: 'POST', body: { model: options.model, input } });
      const answer = await readAnswer<{ data: { embedding: number[] }[] }>(response);
      if (options.json === true) return printJson(answer);
      for (const { embedding } of answer.data)
        process.stdout.write(`${embedding.length} numbers: ${embedding.slice(0, 5).join(' ')} ...\n`);
      return undefined;
    });
}

function quote(): Command {
  return clientCommand('quote', 'what a call would cost at most, without making it')
    .argument('[text...]')
    .option('--endpoint <path>', 'path of the call', '/v1/chat/completions')
    .option('--body <json>', 'the whole body of the call instead of a text', jsonObject)
    .action(async (words: string[], options: Common & { endpoint: string; body?: object }, command: Command) => {
      if (words.length === 0 && options.body === undefined) command.error('error: give a text, or --body');
      const asked = options.body ?? bodyFor(options.endpoint, words.join(' '));
      const body = { endpoint: options.endpoint, body: { model: options.model, ...asked } };
      const response = await callPublic('/v1/quote', { method: 'POST', body });
      const answer = await readAnswer<Record<string, unknown>>(response);
      if (options.json === true) printJson(answer);
      else printFacts(Object.entries(answer));
    });
}

function bodyFor(endpoint: string, text: string): object {
  if (endpoint.endsWith('/chat/completions')) return { messages: [{ role: 'user', content: text }] };
  if (/\/(?:responses|embeddings|speech|moderations)$/.test(endpoint)) return { input: text };
  if (endpoint.endsWith('/messages')) return { messages: [{ role: 'user', content: text }], max_tokens: 1024 };
  return { prompt: text };
}

function usage(): Command {
  return new Command('usage')
    .description('what the token and its account have used and have left (needs TOLLGATE_TOKEN)')
    .action(async (options: { json?: boolean }) => {
      const response = await callPublic('/v1/usage');
      const answer = await readAnswer<Record<string, unknown>>(response);
      if (options.json === true) return printJson(answer);
      const facts: Fact[] = [['currency', answer['currency']]];
      for (const part of ['token', 'account']) {
        for (const [name, value] of Object.entries(withTimes((answer[part] ?? {}) as Record<string, unknown>)))
          facts.push([`${part} ${name}`, value]);
      }
      return printFacts(facts);
    });
}

async function save({ output, json }: Saved, bytes: Buffer): Promise<void> {
  await writeFile(output, bytes);
  const wanted = formatOfEnding(output);
  const made = formatOfBytes(bytes);
  if (wanted !== undefined && made !== undefined && made !== wanted)
    process.stderr.write(
      `${output} holds ${made.toUpperCase()}, not ${wanted.toUpperCase()}: that is what the model made.\n`,
    );
  if (json === true) printJson({ file: output, bytes: bytes.length });
  else process.stdout.write(`${output}: ${bytes.length} bytes\n`);
}
