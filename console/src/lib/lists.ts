// Lists of the operator API: one page at a time for tables, and whole for the choices of a form.
import { keepPreviousData, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { useRouter, useRouterState } from '@tanstack/react-router';
import type { z } from 'zod';
import { callApi, type Query } from './api-client.ts';
import { rememberNames } from './names.ts';

const PAGE_SIZE = 50;
/** Forms offer this many choices at most; beyond that people type. */
const MOST_CHOICES = 2000;

interface ListAnswer<Item> {
  data: Item[];
  next_cursor: string | null;
  names?: Record<string, string> | undefined;
}

type ListSchema<Item> = z.ZodType<ListAnswer<Item>>;

export interface Pages<Item> {
  rows: Item[] | undefined;
  error: Error | null;
  loading: boolean;
  /** A page is on its way while the one before is still shown. */
  turning: boolean;
  page: number;
  next: (() => void) | undefined;
  previous: (() => void) | undefined;
  retry(): void;
}

export interface PageQuery<Item> {
  path: string;
  schema: ListSchema<Item>;
  filters?: Query;
  /** Milliseconds between looking again by itself. */
  refreshEvery?: number | ((rows: readonly Item[]) => number);
  pageSize?: number;
}

/** Where each page of a list began, and of which filters. */
interface Trail {
  filtered: string;
  cursors: string[];
}

declare module '@tanstack/history' {
  interface HistoryState {
    /** By path of the list: kept with the entry of the browser's history, so that Back and a reload show the same page. */
    trails?: Record<string, Trail>;
  }
}

export function usePages<Item>({
  path,
  schema,
  filters = {},
  refreshEvery,
  pageSize = PAGE_SIZE,
}: PageQuery<Item>): Pages<Item> {
  const filtered = JSON.stringify(filters);
  const [cursors, go] = useTrail(path, filtered);
  const cursor = cursors.at(-1);
  const query = useQuery({
    queryKey: [path, 'page', filters, pageSize, cursor ?? null],
    queryFn: async ({ signal }) => {
      const answer = await callApi('GET', path, { schema, query: { ...filters, limit: pageSize, cursor }, signal });
      rememberNames(answer.names);
      return answer;
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      typeof refreshEvery === 'function' ? refreshEvery(data?.data ?? []) : (refreshEvery ?? false),
  });
  const following = query.data?.next_cursor ?? null;
  return {
    rows: query.data?.data,
    error: query.error,
    loading: query.isPending,
    turning: query.isPlaceholderData,
    page: cursors.length + 1,
    next: following === null ? undefined : () => go([...cursors, following]),
    previous: cursors.length === 0 ? undefined : () => go(cursors.slice(0, -1)),
    retry: () => void query.refetch(),
  };
}

/** Keyset paging: where each page began is remembered, so that one can go back, with the browser's button too. */
function useTrail(path: string, filtered: string): [cursors: string[], go: (cursors: string[]) => void] {
  const router = useRouter();
  const trail = useRouterState({ select: ({ location }) => location.state.trails?.[path] });
  const cursors = trail?.filtered === filtered ? trail.cursors : [];
  const go = (next: string[]) => {
    const { trails } = router.state.location.state;
    void router.navigate({
      to: '.',
      search: true,
      resetScroll: false,
      state: (before) => ({ ...before, trails: { ...trails, [path]: { filtered, cursors: next } } }),
    } as Parameters<typeof router.navigate>[0]);
  };
  return [cursors, go];
}

export function wholeList<Item>(path: string, schema: ListSchema<Item>) {
  return queryOptions({
    queryKey: [path, 'whole'],
    queryFn: async ({ signal }): Promise<Item[]> => {
      const items: Item[] = [];
      let cursor: string | null = null;
      do {
        const page: ListAnswer<Item> = await callApi('GET', path, { schema, query: { limit: 200, cursor }, signal });
        items.push(...page.data);
        cursor = page.next_cursor;
      } while (cursor !== null && items.length < MOST_CHOICES);
      return items;
    },
  });
}

/** Everything read from these paths is read again when next shown. */
export async function forget(client: QueryClient, ...paths: string[]): Promise<void> {
  const concerns = ([first]: readonly unknown[]): boolean =>
    paths.some((path) => typeof first === 'string' && (first === path || first.startsWith(`${path}/`)));
  await client.invalidateQueries({ predicate: ({ queryKey }) => concerns(queryKey) });
}
