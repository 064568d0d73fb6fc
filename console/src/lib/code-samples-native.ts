// A chat in the words of the other two protocols, for those whose code speaks them already.
import { KEY, type Sample, type SampleCall } from './code-text.ts';

interface ChatMessage {
  role: string;
  content: string;
}

export function nativeSamples(baseUrl: string, { body }: SampleCall): Sample[] {
  const messages = body['messages'] as ChatMessage[];
  const model = JSON.stringify(body['model']);
  const system = messages.find(({ role }) => role === 'system')?.content;
  const user = JSON.stringify(messages.find(({ role }) => role === 'user')?.content ?? '');
  const anthropic = `import Anthropic from '@anthropic-ai/sdk';

const client = new Anthropic({ baseURL: '${baseUrl}', apiKey: process.env.${KEY} });
const stream = client.messages.stream({
  model: ${model},
  max_tokens: 1024,${system === undefined ? '' : `\n  system: ${JSON.stringify(system)},`}
  messages: [{ role: 'user', content: ${user} }],
});
stream.on('text', (text) => process.stdout.write(text));
await stream.finalMessage();`;
  const google = `import { GoogleGenAI } from '@google/genai';

const client = new GoogleGenAI({ apiKey: process.env.${KEY}, httpOptions: { baseUrl: '${baseUrl}' } });
const stream = await client.models.generateContentStream({
  model: ${model},
  contents: ${user},${system === undefined ? '' : `\n  config: { systemInstruction: ${JSON.stringify(system)} },`}
});
for await (const part of stream) process.stdout.write(part.text ?? '');`;
  return [
    { language: 'Messages', code: anthropic },
    { language: 'Generate content', code: google },
  ];
}
