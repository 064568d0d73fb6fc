// Which methods a path takes, so that a wrong one is answered 405 with Allow instead of 404.
import type { FastifyInstance } from 'fastify';

/** In a route's config: what the path must look like beyond the route's own pattern. */
export const FITS = 'fits';

interface Pattern {
  shape: RegExp;
  /** The same with ids that look like ids of ours. */
  likely: RegExp;
  fits: RegExp | undefined;
  methods: Set<string>;
}

const ID_OF_OURS = '[^/_]*_[^/]*';

export class AllowedMethods {
  readonly #patterns = new Map<string, Pattern>();

  /** Learns every route that is registered after this call. */
  watch(app: FastifyInstance): void {
    app.addHook('onRoute', ({ url, method, config }) => {
      const fits = (config as { [FITS]?: RegExp } | undefined)?.[FITS];
      const key = `${url} ${String(fits)}`;
      const known = this.#patterns.get(key) ?? {
        shape: shapeOf(url, '[^/]+'),
        likely: shapeOf(url, ID_OF_OURS),
        fits,
        methods: new Set<string>(),
      };
      for (const one of Array.isArray(method) ? method : [method]) known.methods.add(one.toUpperCase());
      this.#patterns.set(key, known);
    });
  }

  /** Of any path. */
  all(): string[] {
    return [...new Set([...this.#patterns.values()].flatMap(({ methods }) => [...methods]))].sort();
  }

  of(path: string): string[] {
    const methods = new Set<string>();
    for (const { shape, fits, methods: some } of this.#patterns.values()) {
      if (shape.test(path) && fits?.test(path) !== false) for (const method of some) methods.add(method);
    }
    return [...methods].sort();
  }

  /** Somebody may mean this path: it is served, and its ids look like ours, not like a vendor's word for something else. */
  isLikely(path: string): boolean {
    return [...this.#patterns.values()].some(({ likely, fits }) => likely.test(path) && fits?.test(path) !== false);
  }
}

function shapeOf(url: string, id: string): RegExp {
  return new RegExp(`^${url.split('/').map(shapeOfPart).join('/')}$`);

  function shapeOfPart(part: string): string {
    if (part === '*') return '.+';
    return part.startsWith(':') ? id : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  }
}
