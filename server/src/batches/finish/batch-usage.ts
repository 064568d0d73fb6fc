// The usage of all lines of a batch together, as the vendor shows it.
export class BatchUsage {
  #input = 0;
  #cached = 0;
  #output = 0;
  #reasoning = 0;

  /** JSON as in the request log. */
  add(text: string | null): void {
    if (text === null) return;
    const usage = JSON.parse(text) as Record<string, number | undefined>;
    this.#input += usage['input_tokens'] ?? 0;
    this.#cached += usage['cached_input_tokens'] ?? 0;
    this.#output += usage['output_tokens'] ?? 0;
    this.#reasoning += usage['reasoning_tokens'] ?? 0;
  }

  get text(): string {
    return JSON.stringify({
      input_tokens: this.#input,
      input_tokens_details: { cached_tokens: this.#cached },
      output_tokens: this.#output,
      output_tokens_details: { reasoning_tokens: this.#reasoning },
      total_tokens: this.#input + this.#output,
    });
  }
}
