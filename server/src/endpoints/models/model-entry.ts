// A model as clients see it (spec 2.7).
import type { Model } from '../../catalogue/catalogue.ts';

export interface ModelEntry {
  id: string;
  object: 'model';
  created: number;
  owned_by: string;
}

export function modelEntry(model: Model): ModelEntry {
  return { id: model.id, object: 'model', created: model.created, owned_by: model.ownedBy };
}
