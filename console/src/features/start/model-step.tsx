// The second step: a model that is enabled, priced and carried.
import { Button, Group, Select, Text } from '@mantine/core';
import type { Model } from '#contract/models.ts';
import { t } from '../../i18n/t.ts';
import { PageButton } from '../../components/page-link.tsx';
import { Notice } from '../../components/states.tsx';

interface ModelStepProps {
  models: Model[];
  chosen: string | null;
  choose(id: string | null): void;
  next(): void;
}

export function ModelStep({ models, chosen, choose, next }: ModelStepProps) {
  return (
    <>
      <Text size="sm">
        {t('A model is offered when it has a price and an enabled channel carries it. Choose one to try.')}
      </Text>
      {models.length === 0 ? (
        <Notice color="yellow">{t('No chat model is offered yet. Give one a price under Models and prices.')}</Notice>
      ) : (
        <Select
          label={t('Model')}
          maw={360}
          searchable
          allowDeselect={false}
          data={models.map(({ id }) => id)}
          value={chosen}
          onChange={choose}
        />
      )}
      <Group>
        <Button onClick={next} disabled={chosen === null}>
          {t('Continue')}
        </Button>
        <PageButton to="/models" variant="default">
          {t('Models and prices')}
        </PageButton>
      </Group>
    </>
  );
}
