// An option that only some kinds of upstreams have.
import { TextInput } from '@mantine/core';
import { t } from '../../../i18n/t.ts';
import { errorAt, type FieldErrors } from '../../../lib/check-form.ts';
import type { ChannelDraft } from './channel-draft.ts';

function wordsOf(name: string): [label: string, description: string] {
  switch (name) {
    case 'api_version':
      return [t('API version'), t('A dated version, such as 2024-10-21; empty = /openai/v1')];
    case 'region':
      return [t('Region'), t('Empty = the one in the base address')];
    case 'project':
      return [t('Project'), t('Empty = the one of the service account')];
    case 'location':
      return [t('Location'), t('Empty = the one in the base address')];
    case 'token_url':
      return [t('Token address'), t('For tests only; empty = the vendor’s own')];
    default:
      return [name, ''];
  }
}

interface OwnOptionProps {
  name: string;
  draft: ChannelDraft;
  change(part: Partial<ChannelDraft>): void;
  errors: FieldErrors | undefined;
}

export function OwnOption({ name, draft, change, errors }: OwnOptionProps) {
  const [label, description] = wordsOf(name);
  return (
    <TextInput
      label={label}
      description={description}
      value={draft.own[name] ?? ''}
      onChange={(event) => change({ own: { ...draft.own, [name]: event.currentTarget.value } })}
      error={errorAt(errors, `options.${name}`)}
    />
  );
}
