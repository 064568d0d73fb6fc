// A bar on stderr while long work goes on; where stderr is no terminal, a line for every tenth.
const WIDTH = 30;

export class Progress {
  readonly #label: string;
  readonly #isTerminal = process.stderr.isTTY;
  #shown = -1;

  constructor(label: string) {
    this.#label = label;
  }

  /** Of 100. */
  show(percent: number, words = ''): void {
    const part = Math.max(0, Math.min(100, Math.floor(percent)));
    if (this.#isTerminal) {
      const filled = Math.round((part * WIDTH) / 100);
      const bar = '#'.repeat(filled) + '-'.repeat(WIDTH - filled);
      process.stderr.write(`\r\u001b[K${this.#label} [${bar}] ${String(part).padStart(3)} % ${words}`);
      return;
    }
    const step = Math.floor(part / 10);
    if (step === this.#shown) return;
    this.#shown = step;
    process.stderr.write(`${this.#label} ${part} % ${words}\n`);
  }

  /** What goes on while there is nothing to count. */
  say(words: string): void {
    process.stderr.write(this.#isTerminal ? `\r\u001b[K${words} ...` : `${words}\n`);
  }

  end(): void {
    if (this.#isTerminal) process.stderr.write('\n');
  }
}
