// What a reader of forms saw in one body, in a shape in which all readers can be compared.
import { createHash } from 'node:crypto';

export interface FormView {
  /** Values of texts by the name of their field, in their order. */
  fields: Record<string, string[]>;
  files: SeenFile[];
}

export interface SeenFile {
  field: string;
  sha256: string;
}

export class ViewBuilder {
  readonly #fields = new Map<string, string[]>();
  readonly #files: SeenFile[] = [];

  addText(field: string, value: string): void {
    const values = this.#fields.get(field);
    if (values === undefined) this.#fields.set(field, [value]);
    else values.push(value);
  }

  addFile(field: string, bytes: Buffer): void {
    this.#files.push({ field, sha256: sha256(bytes) });
  }

  finish(): FormView {
    return orderView({ fields: Object.fromEntries(this.#fields), files: this.#files });
  }
}

/** Readers keep the order of files among all fields or by field only. */
export function orderView({ fields, files }: FormView): FormView {
  const names = Object.keys(fields).sort();
  return {
    fields: Object.fromEntries(names.map((name) => [name, fields[name] ?? []])),
    files: files.toSorted((a, b) => (a.field < b.field ? -1 : a.field > b.field ? 1 : 0)),
  };
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
