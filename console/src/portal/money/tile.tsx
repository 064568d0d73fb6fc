// One figure with its name and a note.
import { Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';

export function Tile({ label, value, note }: { label: string; value: ReactNode; note: ReactNode }) {
  return (
    <Paper p="md" component="section" aria-label={label}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fz={26} fw={650} lh={1.3} className="numeric">
        {value}
      </Text>
      <Text size="xs" c="dimmed" component="div">
        {note}
      </Text>
    </Paper>
  );
}
