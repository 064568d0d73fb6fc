// The three limits of a rate policy, of a token or of an account.
import { NumberInput, SimpleGrid } from '@mantine/core';
import { t } from '../i18n/t.ts';
import { errorAt, type FieldErrors } from '../lib/check-form.ts';
import type { RateDraft } from '../lib/limits.ts';

interface RateInputsProps {
  draft: RateDraft;
  change(part: Partial<RateDraft>): void;
  errors: FieldErrors | undefined;
}

const fields: [keyof RateDraft, label: string, description: string][] = [
  ['rpm', t('Requests per minute'), 'rpm'],
  ['tpm', t('Tokens per minute'), 'tpm'],
  ['concurrency', t('At the same time'), t('concurrent requests')],
];

export function RateInputs({ draft, change, errors }: RateInputsProps) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      {fields.map(([field, label, description]) => (
        <NumberInput
          key={field}
          label={label}
          description={description}
          placeholder={t('No limit')}
          min={1}
          allowDecimal={false}
          hideControls
          value={draft[field]}
          onChange={(value) => change({ [field]: value })}
          error={errorAt(errors, `rate.${field}`)}
        />
      ))}
    </SimpleGrid>
  );
}
