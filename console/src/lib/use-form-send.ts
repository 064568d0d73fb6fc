// The life of a form: check by the contract's schema, send, keep what was wrong.
import { useState } from 'react';
import type { z } from 'zod';
import { checkForm, errorsOf, type FieldErrors } from './check-form.ts';

export interface FormSend {
  errors: FieldErrors | undefined;
  busy: boolean;
  /** For the form's `onSubmit`. */
  submit(event: { preventDefault(): void }): void;
}

export function useFormSend<Body>(
  schema: z.ZodType,
  body: () => Body,
  send: (body: Body) => Promise<unknown>,
): FormSend {
  const [errors, setErrors] = useState<FieldErrors>();
  const [busy, setBusy] = useState(false);
  const run = async () => {
    const written = body();
    const wrong = checkForm(schema, written);
    setErrors(wrong);
    if (wrong !== undefined) return;
    setBusy(true);
    try {
      await send(written);
    } catch (error) {
      setErrors(errorsOf(error));
    } finally {
      setBusy(false);
    }
  };
  return {
    errors,
    busy,
    submit(event) {
      event.preventDefault();
      void run();
    },
  };
}
