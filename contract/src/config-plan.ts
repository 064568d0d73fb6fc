// What must change so that a gateway is as a configuration file says. Pure: the command line plans with it, and the gateway
// finds drift with it.
import { alertRuleName, defaultThresholds } from './alert-rules.ts';
import { CONFIG_KINDS, type ConfigKind } from './config-file.ts';

type Fields = Record<string, unknown>;
export type Resources = Record<ConfigKind, Record<string, Fields>>;

export interface ConfigChange {
  kind: ConfigKind;
  name: string;
  /** Groups cannot be removed and stay; alert rules are reset to their defaults. */
  action: 'create' | 'update' | 'remove' | 'reset' | 'stay';
  /** Of an update: what differs. */
  fields: Record<string, { from: unknown; to: unknown }>;
}

export interface PlanInput {
  /** What the file names, with the fields that it gives. */
  wanted: Resources;
  /** What is there, by name. */
  current: Resources;
  /** What the file made so far; given where what it no longer names is to be removed. */
  before?: Resources | undefined;
}

export function planConfig({ wanted, current, before }: PlanInput): ConfigChange[] {
  const changes: ConfigChange[] = [];
  for (const kind of CONFIG_KINDS) {
    for (const [name, fields] of Object.entries(wanted[kind])) {
      const there = current[kind][name];
      if (there === undefined) {
        changes.push({ kind, name, action: 'create', fields: {} });
        continue;
      }
      const differing = differences(fields, there);
      if (Object.keys(differing).length > 0) changes.push({ kind, name, action: 'update', fields: differing });
    }
  }
  for (const kind of CONFIG_KINDS.toReversed()) {
    for (const name of Object.keys(before?.[kind] ?? {})) {
      const there = current[kind][name];
      if (wanted[kind][name] !== undefined || there === undefined || isRemoved(kind, there)) continue;
      changes.push({ kind, name, action: removalOf(kind), fields: {} });
    }
  }
  return changes;
}

function removalOf(kind: ConfigKind): ConfigChange['action'] {
  if (kind === 'groups') return 'stay';
  return kind === 'alert_rules' ? 'reset' : 'remove';
}

/** As far as it can be: accounts are disabled, because their books stay. */
function isRemoved(kind: ConfigKind, there: Fields): boolean {
  if (kind === 'accounts') return there['status'] === 'disabled';
  return kind === 'alert_rules' && isUsualRule(there);
}

/** Rules that nobody changed. */
export function isUsualRule({ rule, enabled, thresholds }: Fields): boolean {
  const known = alertRuleName.safeParse(rule);
  return known.success && enabled === true && isSame(defaultThresholds(known.data), thresholds, false);
}

export function emptyResources(): Resources {
  return {
    groups: {},
    accounts: {},
    flags: {},
    models: {},
    channels: {},
    tokens: {},
    alert_rules: {},
    alert_sinks: {},
  };
}

function differences(wanted: Fields, there: Fields): ConfigChange['fields'] {
  const differing: ConfigChange['fields'] = {};
  for (const [field, to] of Object.entries(wanted)) {
    const from = there[field];
    if (field === 'base_url' && withoutSlash(to) === withoutSlash(from)) continue;
    if (!isSame(to, from, PARTIAL.has(field))) differing[field] = { from, to };
  }
  return differing;
}

function withoutSlash(address: unknown): string {
  return String(address).replace(/\/+$/, '');
}

/** Objects of which only what is given counts. */
const PARTIAL = new Set(['options', 'rate', 'thresholds']);

function isSame(wanted: unknown, there: unknown, isPartial: boolean): boolean {
  if (isPartial && isObject(there)) {
    if (wanted === null) return Object.values(there).every((value) => value === null);
    if (isObject(wanted)) return Object.entries(wanted).every(([name, value]) => isSame(value, there[name], false));
  }
  if (Array.isArray(wanted) && Array.isArray(there))
    return wanted.length === there.length && wanted.every((item, at) => isSame(item, there[at], false));
  if (isObject(wanted) && isObject(there)) {
    const names = new Set([...Object.keys(wanted), ...Object.keys(there)]);
    return [...names].every((name) => isSame(wanted[name], there[name], false));
  }
  return plain(wanted) === plain(there);
}

/** Amounts are the same whatever zeros they end with, and so is an absent value and null. */
function plain(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? null;
  if (/^-?\d+\.\d+$/.test(value)) return value.replace(/\.?0+$/, '');
  return value;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
