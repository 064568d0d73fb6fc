// Models that their vendor retires soon, and that are still offered.
import { retiringModels } from '../../store/queries/alert-facts.ts';
import { type Finding, MOST_FINDINGS, type Rule, threshold } from '../finding.ts';

const DAY = 86_400;

export const modelRetires: Rule = {
  everySeconds: 15,
  async find(context) {
    const { now, reads } = context;
    const before = now + threshold(context, 'days') * DAY + 1;
    const models = await retiringModels(reads, { before, limit: MOST_FINDINGS });
    return models.map(({ id, retires_at }): Finding => {
      const day = new Date(retires_at * 1000).toISOString().slice(0, 10);
      const isOver = retires_at <= now;
      const title = isOver ? `${id} was retired on ${day}` : `${id} retires on ${day}`;
      const detail = isOver ? 'It is still offered.' : 'Offer a successor before, and tell who uses it.';
      return { kind: 'model', subject: id, title, detail };
    });
  },
};
