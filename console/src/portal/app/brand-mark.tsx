// The operator's name beside its first letter on the operator's colour.
import { Center, Group, Text } from '@mantine/core';
import { brandName } from '../../lib/brand.ts';
import { brandFill, brandInk } from './brand-colors.ts';
import { brandLetter } from './show-icon.ts';

export function BrandMark({ size }: { size: number }) {
  return (
    <Group gap={10} wrap="nowrap" miw={0}>
      <Center
        w={size}
        h={size}
        bg={brandFill}
        c={brandInk}
        bdrs={8}
        fz={size * 0.58}
        fw={700}
        aria-hidden="true"
        flex="none"
      >
        {brandLetter}
      </Center>
      <Text fw={700} truncate>
        {brandName}
      </Text>
    </Group>
  );
}
