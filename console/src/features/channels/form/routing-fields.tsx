// When a channel is chosen: its priority, its weight and whom it serves.
import { Group, NumberInput, TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../../i18n/t.ts';
import { errorAt, type FieldErrors } from '../../../lib/check-form.ts';
import { allGroups } from '../../../lib/choices.ts';
import type { ChannelDraft } from './channel-draft.ts';

interface RoutingFieldsProps {
  draft: ChannelDraft;
  change(part: Partial<ChannelDraft>): void;
  errors: FieldErrors | undefined;
}

export function RoutingFields({ draft, change, errors }: RoutingFieldsProps) {
  const { data: groups = [] } = useQuery(allGroups);
  return (
    <>
      <Group grow align="flex-start">
        <NumberInput
          label={t('Priority')}
          description={t('Higher first')}
          allowDecimal={false}
          value={draft.priority}
          onChange={(priority) => change({ priority })}
          error={errorAt(errors, 'priority')}
        />
        <NumberInput
          label={t('Weight')}
          description={t('Share within a priority')}
          allowDecimal={false}
          min={0}
          value={draft.weight}
          onChange={(weight) => change({ weight })}
          error={errorAt(errors, 'weight')}
        />
      </Group>
      <TagsInput
        label={t('Groups')}
        description={t('Only tokens of these groups; none = every group')}
        data={[...new Set(['default', ...groups.map(({ name }) => name)])]}
        value={draft.groups}
        onChange={(value) => change({ groups: value })}
        error={errorAt(errors, 'groups')}
      />
    </>
  );
}
