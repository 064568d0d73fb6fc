// In which language a sink is notified: its recipients read it, not the operator who made it.
import type { Migration } from './migration.ts';

export const sinkLanguage: Migration = {
  name: '0122-sink-language',
  statements: () => [`alter table alert_sinks add column language text not null default 'en'`],
};
