// How much, how fast and how long: the limits of a token.
import { Button, Divider, Group, NumberInput, SimpleGrid, TextInput } from '@mantine/core';
import { errorAt, type FieldErrors } from '../../lib/check-form.ts';
import { toLocalInput } from '../../lib/format-time.ts';
import type { TokenDraft } from './token-draft.ts';

const DAY = 86_400;
const spans: [string, number][] = [
  ['1 day', DAY],
  ['30 days', 30 * DAY],
  ['1 year', 365 * DAY],
];

interface TokenLimitsProps {
  draft: TokenDraft;
  change(part: Partial<TokenDraft>): void;
  errors: FieldErrors | undefined;
}

export function TokenLimits({ draft, change, errors }: TokenLimitsProps) {
  const rate = (field: 'rpm' | 'tpm' | 'concurrency', label: string, description: string) => (
    <NumberInput
      label={label}
      description={description}
      placeholder="No limit"
      min={1}
      allowDecimal={false}
      hideControls
      value={draft[field]}
      onChange={(value) => change({ [field]: value })}
      error={errorAt(errors, `rate.${field}`)}
    />
  );
  return (
    <>
      <Divider label="How much, how fast, how long" labelPosition="left" />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Quota"
          description="The most it may ever spend"
          placeholder="No limit"
          inputMode="decimal"
          value={draft.quota}
          onChange={(event) => change({ quota: event.currentTarget.value })}
          error={errorAt(errors, 'quota')}
        />
        <div>
          <TextInput
            type="datetime-local"
            label="Expires"
            description="In your time zone; empty = never"
            value={draft.expires}
            onChange={(event) => change({ expires: event.currentTarget.value })}
            error={errorAt(errors, 'expires_at')}
          />
          <Group gap={6} mt={6}>
            {spans.map(([label, seconds]) => (
              <Button
                key={label}
                size="compact-xs"
                variant="default"
                onClick={() => change({ expires: toLocalInput(Math.floor(Date.now() / 1000) + seconds) })}
              >
                {label}
              </Button>
            ))}
            <Button size="compact-xs" variant="default" onClick={() => change({ expires: '' })}>
              Never
            </Button>
          </Group>
        </div>
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        {rate('rpm', 'Requests per minute', 'rpm')}
        {rate('tpm', 'Tokens per minute', 'tpm')}
        {rate('concurrency', 'At the same time', 'concurrent requests')}
      </SimpleGrid>
    </>
  );
}
