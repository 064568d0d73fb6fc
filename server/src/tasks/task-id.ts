// What an id of a task looks like: whatever does not is none, and never reaches the store.
export function isTaskId(text: string): boolean {
  return /^task_[A-Za-z0-9]{32}$/.test(text);
}
