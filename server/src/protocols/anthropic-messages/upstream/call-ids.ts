// Ids of tool calls as this protocol takes them: letters, digits, `_` and `-`. Others are replaced, the same one always by
// the same, and never two by one.
const TAKEN = /^[\w-]{1,256}$/;

export class CallIds {
  readonly #written = new Map<string, string>();
  readonly #used = new Set<string>();

  write(id: string): string {
    const known = this.#written.get(id);
    if (known !== undefined) return known;
    const plain = TAKEN.test(id) ? id : id.replace(/[^\w-]/g, '_').slice(0, 200) || 'call';
    let written = plain;
    for (let count = 2; this.#used.has(written); count++) written = `${plain}_${count}`;
    this.#written.set(id, written);
    this.#used.add(written);
    return written;
  }
}
