// The call that a page makes, as curl and as code for the vendors' own libraries. The key is never written into it.
import { nativeSamples } from './code-samples-native.ts';
import { videoSamples } from './code-samples-video.ts';
import { KEY, pythonValue, type Sample, type SampleCall, shellText } from './code-text.ts';

export type { Sample, SampleCall };

export function codeSamples(baseUrl: string, call: SampleCall): Sample[] {
  if (call.path === '/v1/videos') return videoSamples(baseUrl, call);
  return [
    { language: 'curl', code: curl(baseUrl, call) },
    { language: 'Python', code: python(baseUrl, call) },
    { language: 'JavaScript', code: javascript(baseUrl, call) },
    ...(call.path === '/v1/chat/completions' ? nativeSamples(baseUrl, call) : []),
  ];
}

function curl(baseUrl: string, { path, body, file, output }: SampleCall): string {
  const lines = [`curl ${baseUrl}${path}`, `-H "Authorization: Bearer $${KEY}"`];
  if (file === undefined) lines.push(`-H 'content-type: application/json'`, `-d ${shellText(JSON.stringify(body))}`);
  else {
    for (const [name, value] of Object.entries(body)) lines.push(`-F ${shellText(`${name}=${String(value)}`)}`);
    lines.push(`-F ${file}=@recording.wav`);
  }
  if (output !== undefined) lines.push(`-o ${output}`);
  return lines.join(' \\\n  ');
}

const methods: Record<string, string> = {
  '/v1/chat/completions': 'chat.completions.create',
  '/v1/images/generations': 'images.generate',
  '/v1/audio/speech': 'audio.speech.create',
  '/v1/audio/transcriptions': 'audio.transcriptions.create',
  '/v1/embeddings': 'embeddings.create',
};

function python(baseUrl: string, { path, body, file, output }: SampleCall): string {
  const method = methods[path];
  const head = `import os\nfrom openai import OpenAI\n\nclient = OpenAI(base_url="${baseUrl}/v1", api_key=os.environ["${KEY}"])\n`;
  if (method === undefined) {
    return `import os\nimport httpx\n\nanswer = httpx.post(\n    "${baseUrl}${path}",\n    headers={"Authorization": f"Bearer {os.environ['${KEY}']}"},\n    json=${pythonValue(body)},\n)\nprint(answer.json())`;
  }
  const fields = Object.entries(body).map(([name, value]) => `    ${name}=${pythonValue(value)},\n`);
  if (file !== undefined) fields.push(`    ${file}=open("recording.wav", "rb"),\n`);
  const end =
    body['stream'] === true
      ? 'for event in answer:\n    if event.choices:\n        print(event.choices[0].delta.content or "", end="")'
      : output === undefined
        ? 'print(answer)'
        : `answer.write_to_file("${output}")`;
  return `${head}answer = client.${method}(\n${fields.join('')})\n${end}`;
}

function javascript(baseUrl: string, { path, body, file, output }: SampleCall): string {
  const method = methods[path];
  const written = JSON.stringify(body, null, 2);
  if (method === undefined) {
    return `const answer = await fetch('${baseUrl}${path}', {\n  method: 'POST',\n  headers: { authorization: \`Bearer \${process.env.${KEY}}\`, 'content-type': 'application/json' },\n  body: JSON.stringify(${written}),\n});\nconsole.log(await answer.json());`;
  }
  const reads =
    file !== undefined
      ? "import { createReadStream } from 'node:fs';\n"
      : output !== undefined
        ? "import { writeFile } from 'node:fs/promises';\n"
        : '';
  const head = `${reads}import OpenAI from 'openai';\n\nconst client = new OpenAI({ baseURL: '${baseUrl}/v1', apiKey: process.env.${KEY} });\n`;
  const argument =
    file === undefined ? written : written.replace(/\n\}$/, `,\n  "${file}": createReadStream('recording.wav')\n}`);
  const end =
    body['stream'] === true
      ? "for await (const event of answer) process.stdout.write(event.choices[0]?.delta?.content ?? '');"
      : output === undefined
        ? 'console.log(answer);'
        : `await writeFile('${output}', Buffer.from(await answer.arrayBuffer()));`;
  return `${head}const answer = await client.${method}(${argument});\n${end}`;
}
