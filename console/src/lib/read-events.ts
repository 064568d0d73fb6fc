// Reads server-sent events from chunks of text that may be cut anywhere.
export class EventReader {
  #rest = '';

  /** The data of every event that is complete with this chunk. */
  read(chunk: string): string[] {
    const blocks = (this.#rest + chunk).split(/\r?\n\r?\n/);
    this.#rest = blocks.pop() ?? '';
    return blocks.map(dataOf).filter((data) => data !== '');
  }
}

function dataOf(block: string): string {
  return block
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).replace(/^ /, ''))
    .join('\n');
}
