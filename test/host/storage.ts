import { host$, onReset } from "./state";

/** The launcher's cache: texts that outlive a command. */
export class Cache {
  private readonly data = new Map<string, string>();
  private readonly subscribers = new Set<(key?: string, data?: string) => void>();

  constructor(readonly options: { namespace?: string; capacity?: number } = {}) {
    // `useCachedState` keeps its Cache objects in a module-level map: clear the data, keep the objects.
    onReset(() => this.clear());
  }

  get isEmpty(): boolean {
    return this.data.size === 0;
  }

  get(key: string): string | undefined {
    return this.data.get(key);
  }

  has(key: string): boolean {
    return this.data.has(key);
  }

  set(key: string, data: string): void {
    this.data.set(key, data);
    this.notify(key, data);
  }

  remove(key: string): boolean {
    const removed = this.data.delete(key);
    this.notify(key, undefined);
    return removed;
  }

  clear({ notifySubscribers = true } = {}): void {
    this.data.clear();
    if (notifySubscribers) this.notify(undefined, undefined);
  }

  // Must be bound: `@raycast/utils` hands it to useSyncExternalStore as `cache.subscribe`.
  subscribe = (subscriber: (key?: string, data?: string) => void) => {
    this.subscribers.add(subscriber);
    return () => void this.subscribers.delete(subscriber);
  };

  private notify(key?: string, data?: string): void {
    this.subscribers.forEach((subscriber) => subscriber(key, data));
  }
}

export const LocalStorage = {
  getItem: async (key: string) => host$.localStorage.get(key),
  setItem: async (key: string, value: unknown) => void host$.localStorage.set(key, value),
  removeItem: async (key: string) => void host$.localStorage.delete(key),
  allItems: async () => Object.fromEntries(host$.localStorage),
  clear: async () => host$.localStorage.clear(),
};
