// Which process listens on a loopback port, by way of /proc: the socket's inode, then the process that has it open. Nobody
// where that cannot be known.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const listening = '0A';

function findInodes(port: number): Set<string> {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  const inodes = new Set<string>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readOrNothing(table).split('\n')) {
      const fields = line.trim().split(/\s+/);
      const [, local = '', , state] = fields;
      const inode = fields[9];
      if (state === listening && local.endsWith(`:${hexPort}`) && inode !== undefined) inodes.add(inode);
    }
  }
  return inodes;
}

function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

function hasOpen(pid: string, inodes: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((file) => {
      const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${file}`))?.[1];
      return inode !== undefined && inodes.has(inode);
    });
  } catch {
    return false; // gone, somebody else's, or a file closed between the two reads
  }
}

/** The oldest of them, whose children the others are; none where it is not known. */
export function findListeners(host: string, port: number): number[] {
  if (!/^(localhost|127\.|::1$)/.test(host)) return [];
  const inodes = findInodes(port);
  if (inodes.size === 0) return [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const [first] = pids
    .map(Number)
    .toSorted((a, b) => a - b)
    .filter((pid) => hasOpen(String(pid), inodes));
  return first === undefined ? [] : [first];
}
