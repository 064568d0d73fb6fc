// The data of each event of a stream, up to the closing [DONE].
export async function* readEvents(response: Response): AsyncGenerator<string> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const piece of response.body ?? []) {
    rest += decoder.decode(piece as Uint8Array, { stream: true });
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
