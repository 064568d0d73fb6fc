// A video as code: it takes a submit, a wait and a download.
import { KEY, pythonValue, type Sample, type SampleCall, shellText } from './code-text.ts';

export function videoSamples(baseUrl: string, { path, body, output = 'video.mp4' }: SampleCall): Sample[] {
  const auth = `-H "Authorization: Bearer $${KEY}"`;
  const fields = Object.entries(body);
  const curl = `id=$(curl -s ${baseUrl}${path} ${auth} \\
  -H 'content-type: application/json' \\
  -d ${shellText(JSON.stringify(body))} | jq -r .id)

sleep 5; until curl -s ${baseUrl}${path}/$id ${auth} | tee /dev/stderr | grep -qE '"status":"(completed|failed)"'; do sleep 5; done

curl ${baseUrl}${path}/$id/content ${auth} -o ${output}`;
  const python = `import os, time
from openai import OpenAI

client = OpenAI(base_url="${baseUrl}/v1", api_key=os.environ["${KEY}"])
video = client.videos.create(
${fields.map(([name, value]) => `    ${name}=${pythonValue(value)},\n`).join('')})
while video.status in ("queued", "in_progress"):
    time.sleep(5)
    video = client.videos.retrieve(video.id)
    print(video.status, video.progress)
client.videos.download_content(video.id).write_to_file("${output}")`;
  const javascript = `import { writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import OpenAI from 'openai';

const client = new OpenAI({ baseURL: '${baseUrl}/v1', apiKey: process.env.${KEY} });
let video = await client.videos.create(${JSON.stringify(body, null, 2)});
while (video.status === 'queued' || video.status === 'in_progress') {
  await wait(5_000);
  video = await client.videos.retrieve(video.id);
  console.log(video.status, video.progress);
}
const content = await client.videos.downloadContent(video.id);
await writeFile('${output}', Buffer.from(await content.arrayBuffer()));`;
  return [
    { language: 'curl', code: curl },
    { language: 'Python', code: python },
    { language: 'JavaScript', code: javascript },
  ];
}
