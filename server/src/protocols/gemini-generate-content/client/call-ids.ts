// Ids of calls may be missing on this wire. A result without one belongs to the first open call of its name.
export class CallIds {
  #open: { id: string; name: string }[] = [];
  #made = 0;

  /** The id of a call, made where it has none. */
  ofCall(id: string | undefined, name: string): string {
    const own = id === undefined || id === '' ? `call_${this.#made++}_${name}` : id;
    this.#open.push({ id: own, name });
    return own;
  }

  /** The id of the call that a result answers. */
  ofResult(id: string | undefined, name: string): string {
    const call =
      this.#open.find((open) => open.id === id) ?? this.#open.find((open) => open.name === name) ?? this.#open[0];
    this.#open = this.#open.filter((open) => open !== call);
    return call?.id ?? id ?? `call_${this.#made++}_${name}`;
  }
}
