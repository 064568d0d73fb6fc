// Which methods a path takes, so that a wrong one is answered 405 with Allow instead of 404.
import type { FastifyInstance } from 'fastify';

export class AllowedMethods {
  readonly #patterns = new Map<string, { shape: RegExp; methods: Set<string> }>();

  /** Learns every route that is registered after this call. */
  watch(app: FastifyInstance): void {
    app.addHook('onRoute', ({ url, method }) => {
      const known = this.#patterns.get(url) ?? { shape: shapeOf(url), methods: new Set() };
      for (const one of Array.isArray(method) ? method : [method]) known.methods.add(one.toUpperCase());
      this.#patterns.set(url, known);
    });
  }

  of(path: string): string[] {
    const methods = new Set<string>();
    for (const { shape, methods: some } of this.#patterns.values()) {
      if (shape.test(path)) for (const method of some) methods.add(method);
    }
    return [...methods].sort();
  }
}

function shapeOf(url: string): RegExp {
  const source = url
    .split('/')
    .map((part) => (part === '*' ? '.+' : part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join('/');
  return new RegExp(`^${source}$`);
}
