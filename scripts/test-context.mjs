// Tells node:test which test a piece of work belongs to, for a tenth less of a whole run. Its own way is a hook at the
// birth and death of every promise of the process; this one is an AsyncLocalStorage, which costs only where a test begins.
// To be loaded before node:test is. What it relies on: node:test reads these three exports of node:async_hooks when it is
// loaded, and its tests are AsyncResources. Where that is not so, node:test works in its own way.
import hooks from 'node:async_hooks';

const { AsyncLocalStorage, AsyncResource, createHook, executionAsyncId } = hooks;
const running = new AsyncLocalStorage();
let noteTest;

class Scope extends AsyncResource {
  constructor(...args) {
    super(...args);
    noteTest?.(this.asyncId(), 'Test', 0, this);
  }

  runInAsyncScope(work, self, ...args) {
    return super.runInAsyncScope(() => running.run(this.asyncId(), () => Reflect.apply(work, self, args)));
  }
}

hooks.AsyncResource = Scope;
hooks.executionAsyncId = () => running.getStore() ?? executionAsyncId();
hooks.createHook = ({ init }) => {
  noteTest = init;
  return { enable: () => {}, disable: () => {} };
};
await import('node:test');
Object.assign(hooks, { AsyncResource, createHook, executionAsyncId });
