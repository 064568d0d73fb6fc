// Compares what every reader of forms saw in what the gateway sent with what the gateway itself had read and billed.
import assert from 'node:assert/strict';
import type { LoggedRequest } from '#contract/requests.ts';
import { nano } from '../../support/money.ts';
import { type FormView, orderView } from './form-view.ts';
import { byBase } from './node-readers.ts';

/** A part as the gateway describes it in kept bodies. */
interface KeptPart {
  name: string;
  value?: string;
  file?: string | null;
}

export interface Reading {
  /** The request body that the gateway kept: what it had read. */
  kept: string;
  logged: LoggedRequest;
  upstreamModel: string;
  views: ReadonlyMap<string, FormView>;
  /** Nano-units that this view is worth. */
  worth(view: FormView): bigint;
}

/** Throws at the first reader that saw another form than was checked, or one of another price than was charged. */
export function compareReadings({ kept, logged, upstreamModel, views, worth }: Reading): void {
  const checked = (JSON.parse(kept) as { form: KeptPart[] }).form;
  const texts = Map.groupBy(
    checked.filter((part) => part.value !== undefined),
    ({ name }) => name,
  );
  const expected = new Map<string, string[]>();
  for (const [name, parts] of texts) {
    const values = parts.map(({ value = '' }) => value);
    // A field that was left empty is not sent; the model gets the channel's name for it.
    if (values.some((value) => value !== '')) expected.set(name, name === 'model' ? [upstreamModel] : values);
  }
  const files = checked.filter((part) => part.value === undefined).map(({ name }) => ({ field: name, sha256: '' }));
  const reference = orderView({ fields: Object.fromEntries(expected), files });
  const [[, first] = ['', { fields: {}, files: [] }]] = views;
  for (const [reader, view] of views) {
    const { fields } = reader === 'multer' ? byBase(reference) : reference;
    assert.deepEqual(view.fields, fields, `${reader}: fields`);
    const names = (seen: FormView): string[] => seen.files.map(({ field }) => field);
    assert.deepEqual(names(view), names(reference), `${reader}: files`);
    assert.deepEqual(view.files, first.files, `${reader}: bytes of files`);
    assert.equal(nano(logged.charge), worth(view), `${reader}: charged ${logged.charge} (${logged.arithmetic})`);
  }
}
