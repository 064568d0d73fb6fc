// How much, how fast and how long: the limits of a token.
import { Button, Divider, Group, NativeSelect, SimpleGrid, Switch, TextInput } from '@mantine/core';
import { PeriodSelect } from '../../components/period-select.tsx';
import { RateInputs } from '../../components/rate-inputs.tsx';
import { errorAt, type FieldErrors } from '../../lib/check-form.ts';
import { toLocalInput } from '../../lib/format-time.ts';
import type { TokenDraft } from './token-draft.ts';

const DAY = 86_400;
const spans: [string, number][] = [
  ['1 day', DAY],
  ['30 days', 30 * DAY],
  ['1 year', 365 * DAY],
];

const readStoreBodies = (text: string): TokenDraft['storeBodies'] =>
  text === 'errors' || text === 'all' ? text : 'off';

interface TokenLimitsProps {
  draft: TokenDraft;
  change(part: Partial<TokenDraft>): void;
  errors: FieldErrors | undefined;
}

export function TokenLimits({ draft, change, errors }: TokenLimitsProps) {
  return (
    <>
      <Divider label="How much, how fast, how long" labelPosition="left" />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Quota"
          description="The most it may spend"
          placeholder="No limit"
          inputMode="decimal"
          value={draft.quota}
          onChange={(event) => change({ quota: event.currentTarget.value })}
          error={errorAt(errors, 'quota')}
        />
        <PeriodSelect
          label="Quota resets"
          never="Never: for its whole life"
          value={draft.quotaPeriod}
          onChange={(quotaPeriod) => change({ quotaPeriod })}
          error={errorAt(errors, 'quota_period')}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
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
      <RateInputs draft={draft} change={change} errors={errors} />
      <Switch
        label="Fit answers to the balance"
        description="Where the longest answer is not covered, text requests are sent with a lower limit instead of refused"
        checked={draft.fitBalance}
        onChange={(event) => change({ fitBalance: event.currentTarget.checked })}
      />
      <Switch
        label="Strict translation"
        description="Refuse a request rather than leave out what its provider has no place for"
        checked={draft.strict}
        onChange={(event) => change({ strict: event.currentTarget.checked })}
      />
      <NativeSelect
        label="Keep what is asked and answered"
        description="The first 64 KiB of each body, sealed, for some days; admins read them on the page of the request"
        value={draft.storeBodies}
        onChange={(event) => change({ storeBodies: readStoreBodies(event.currentTarget.value) })}
        data={[
          { value: 'off', label: 'Never' },
          { value: 'errors', label: 'Of failed requests' },
          { value: 'all', label: 'Of all requests' },
        ]}
      />
    </>
  );
}
