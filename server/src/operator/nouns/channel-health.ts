// /channel-health: which breakers are open and which keys are refused, in this process.
import { channelHealthList } from '#contract/channel-health.ts';
import type { OperatorApp, OperatorDependencies } from '../dependencies.ts';
import { failures, route } from '../operation.ts';

export function channelHealthRoutes(app: OperatorApp, dependencies: OperatorDependencies): void {
  app.get(
    '/channel-health',
    route('Channels', 'How every channel fares right now', { response: { 200: channelHealthList, ...failures } }),
    async () => ({ data: dependencies.channelHealth(), next_cursor: null }),
  );
}
