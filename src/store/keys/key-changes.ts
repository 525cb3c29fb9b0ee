// Reports every key that is issued, changed or revoked to every API process, including changes of its account, through
// the trigger `api_keys_changed`. A process's cache of keys is a level, not a series of events: while it is
// `following`, every cached row is newer than the key's last announced change; when it starts to follow, it drops its
// cache; while it does not follow, it must not rely on cached unknown keys.
import { type Listener, listenTo } from '../pg/listener';

export interface KeyWatcher {
  /** Changes are reported from now on; earlier ones may have been missed. */
  following(): void;
  /** Changes may be missed until the next `following`. */
  lost(): void;
  /** `id`: base64 of the key's hash. Its row is committed. */
  changed(id: string): void;
}

export interface KeyChanges {
  /** Watchers are called in the order in which they were added. */
  watch(watcher: KeyWatcher): void;
}

/** For tests and tools: nothing is ever reported, and nothing relies on it. */
export const NO_KEY_CHANGES: KeyChanges = { watch: () => {} };

/** Uses its own connection, and works without one. */
export function followKeyChanges(url: string): KeyChanges & Listener {
  const watchers: KeyWatcher[] = [];
  let following = false;
  const listener = listenTo(url, 'api_keys_changed', {
    up() {
      following = true;
      for (const watcher of watchers) watcher.following();
    },
    down() {
      following = false;
      for (const watcher of watchers) watcher.lost();
    },
    notified(id) {
      for (const watcher of watchers) watcher.changed(id);
    },
  });
  return {
    ...listener,
    watch(watcher) {
      watchers.push(watcher);
      if (following) watcher.following();
    },
  };
}
