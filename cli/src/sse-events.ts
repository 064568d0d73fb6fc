// The data of each event of a stream, up to the closing [DONE].
import { cutOff } from './connection.ts';

export async function* readEvents(response: Response): AsyncGenerator<string> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const piece of pieces(response)) {
    rest += decoder.decode(piece, { stream: true });
    const lines = rest.split(/\r?\n/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data:')) continue;
      const data = line.slice('data:'.length).trim();
      if (data === '[DONE]') return;
      if (data !== '') yield data;
    }
  }
}

async function* pieces({ body }: Response): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of body ?? []) yield piece as Uint8Array;
  } catch (error) {
    cutOff(error);
  }
}
