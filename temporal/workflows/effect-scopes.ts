import { CancellationScope } from '@temporalio/workflow';

/** Cancellation scopes for effects, because an effect may end before the run does. */
export class EffectScopes {
  private readonly scopes = new Map<string, CancellationScope>();

  constructor(private readonly parent: CancellationScope) {}

  /** Does the work of the effects at the paths in a scope of their own. */
  runInScope<T>(paths: string[], work: () => Promise<T>): Promise<T> {
    const scope = new CancellationScope({ cancellable: true, parent: this.parent });
    for (const path of paths) this.scopes.set(path, scope);
    return scope.run(work);
  }

  /** The work for the effect is done. */
  forget(path: string): void {
    this.scopes.delete(path);
  }

  /** Call it when the effect has ended in the run. Cancels its work, unless other effects share the work and go on. */
  drop(path: string): void {
    const scope = this.scopes.get(path);
    this.scopes.delete(path);
    if (scope && ![...this.scopes.values()].includes(scope)) scope.cancel();
  }
}
