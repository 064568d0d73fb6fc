// Parts of the console that are loaded when first needed. A gateway that restarts is waited for. One that is newer than the
// page has other parts: then the router loads the page again, once.
import { isReachable, noteUnreachable, whenReached } from './reachable.ts';

/** While the gateway answers. */
const TRIES = 2;

export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let tries = 1; ;) {
    try {
      return await load();
    } catch (error) {
      if (!(await isReachable())) {
        noteUnreachable();
        await whenReached();
      } else if (tries++ >= TRIES) throw error;
    }
  }
}
