// How much, how fast and how long: the limits of a token.
import { Button, Divider, Group, NativeSelect, SimpleGrid, Switch, TextInput } from '@mantine/core';
import { t } from '../../i18n/t.ts';
import { PeriodSelect } from '../../components/period-select.tsx';
import { RateInputs } from '../../components/rate-inputs.tsx';
import { errorAt, type FieldErrors } from '../../lib/check-form.ts';
import { toLocalInput } from '../../lib/format-time.ts';
import type { TokenDraft } from './token-draft.ts';

const DAY = 86_400;
const spans: [string, number][] = [
  [t('1 day'), DAY],
  [t('30 days'), 30 * DAY],
  [t('1 year'), 365 * DAY],
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
      <Divider label={t('How much, how fast, how long')} labelPosition="left" />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={t('Quota')}
          description={t('The most it may spend')}
          placeholder={t('No limit')}
          inputMode="decimal"
          value={draft.quota}
          onChange={(event) => change({ quota: event.currentTarget.value })}
          error={errorAt(errors, 'quota')}
        />
        <PeriodSelect
          label={t('Quota resets')}
          never={t('Never: for its whole life')}
          value={draft.quotaPeriod}
          onChange={(quotaPeriod) => change({ quotaPeriod })}
          error={errorAt(errors, 'quota_period')}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <div>
          <TextInput
            type="datetime-local"
            label={t('Expires')}
            description={t('In your time zone; empty = never')}
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
              {t('Never')}
            </Button>
          </Group>
        </div>
      </SimpleGrid>
      <RateInputs draft={draft} change={change} errors={errors} />
      <Switch
        label={t('Fit answers to the balance')}
        description={t(
          'Where the longest answer is not covered, text requests are sent with a lower limit instead of refused',
        )}
        checked={draft.fitBalance}
        onChange={(event) => change({ fitBalance: event.currentTarget.checked })}
      />
      <Switch
        label={t('Strict translation')}
        description={t('Refuse a request rather than leave out what its provider has no place for')}
        checked={draft.strict}
        onChange={(event) => change({ strict: event.currentTarget.checked })}
      />
      <NativeSelect
        label={t('Keep what is asked and answered')}
        description={t(
          'The first 64 KiB of each body, sealed, for some days; admins read them on the page of the request',
        )}
        value={draft.storeBodies}
        onChange={(event) => change({ storeBodies: readStoreBodies(event.currentTarget.value) })}
        data={[
          { value: 'off', label: t('Never') },
          { value: 'errors', label: t('Of failed requests') },
          { value: 'all', label: t('Of all requests') },
        ]}
      />
    </>
  );
}
