// The package ships no types; these are the parts of it that the renderer uses.
declare module "react-reconciler" {
  import type { ReactNode } from "react";

  interface Reconciler {
    createContainer(
      container: object,
      tag: number,
      hydrationCallbacks: null,
      isStrictMode: boolean,
      concurrentUpdatesByDefault: null,
      identifierPrefix: string,
      onUncaughtError: (error: unknown) => void,
      onCaughtError: (error: unknown) => void,
      onRecoverableError: (error: unknown) => void,
      transitionCallbacks: null,
    ): object;
    updateContainer(element: ReactNode, container: object, parent: null, callback: null): void;
  }

  export default function createReconciler(host: object): Reconciler;
}

declare module "react-reconciler/constants" {
  export const ConcurrentRoot: number;
  export const DefaultEventPriority: number;
  export const NoEventPriority: number;
}
