// The life of a form: check by the contract's schema, send, keep what was wrong and go to the first field that is.
import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { ApiError } from './api-error.ts';
import { checkForm, errorsOf, type FieldErrors } from './check-form.ts';
import { noteConflict } from './form-conflict.ts';

export interface FormSend {
  errors: FieldErrors | undefined;
  busy: boolean;
  /** For the form's `onSubmit`. */
  submit(event: { preventDefault(): void; currentTarget: HTMLFormElement }): void;
}

export function useFormSend<Body>(
  schema: z.ZodType,
  body: () => Body,
  send: (body: Body) => Promise<unknown>,
): FormSend {
  const [errors, setErrors] = useState<FieldErrors>();
  const [busy, setBusy] = useState(false);
  // When the errors are drawn, which may be later than the next frame.
  const refused = useRef<HTMLFormElement>(undefined);
  useEffect(() => {
    refused.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    refused.current = undefined;
  }, [errors]);
  const complain = (wrong: FieldErrors, form: HTMLFormElement) => {
    setErrors(wrong);
    refused.current = form;
  };
  const run = async (form: HTMLFormElement) => {
    const written = body();
    const wrong = checkForm(schema, written);
    if (wrong !== undefined) return complain(wrong, form);
    setErrors(undefined);
    setBusy(true);
    try {
      await send(written);
    } catch (error) {
      const wrong = errorsOf(error);
      if (error instanceof ApiError && error.conflict !== undefined)
        noteConflict(wrong, { ...error.conflict, again: () => void run(form) });
      complain(wrong, form);
    } finally {
      setBusy(false);
    }
  };
  return {
    errors,
    busy,
    submit(event) {
      event.preventDefault();
      void run(event.currentTarget);
    },
  };
}
