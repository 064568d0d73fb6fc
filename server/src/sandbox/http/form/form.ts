// A form as the sandbox keeps it: text fields whole, files only as what an answer can depend on, never their bytes.
import type { WireObject } from '../../fields/refuse.ts';

export type FormFile = {
  field: string;
  filename: string;
  contentType: string;
  bytes: number;
  sha256: string;
  /** The first 64 KiB. */
  head: Buffer;
  /** Length by the frames of an MP3; 0 for anything else. */
  mp3Seconds: number;
};

export type Form = { fields: { name: string; value: string }[]; files: FormFile[] };

/** Text fields by name; one that came several times, or whose name ends with `[]`, is a list. */
export function readFields({ fields }: Form): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  for (const { name, value } of fields) {
    const before = values[name];
    if (before === undefined) values[name] = name.endsWith('[]') ? [value] : value;
    else if (Array.isArray(before)) before.push(value);
    else values[name] = [before, value];
  }
  return { ...values };
}

/** What a record tells of a form. */
export function summariseForm(form: Form): WireObject {
  const files = form.files.map(({ field, filename, contentType, bytes, sha256 }) => {
    return { field, filename, contentType, bytes, sha256 };
  });
  return { ...readFields(form), files };
}
