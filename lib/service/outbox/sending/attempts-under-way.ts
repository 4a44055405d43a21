import type { DueDelivery } from '#lib/service/outbox/deliveries/webhook-deliveries-items.ts';

const nameOf = ({ dueAt, deliveryId }: DueDelivery): string => `${dueAt} ${deliveryId}`;

/** A sender's attempts in progress. */
export class AttemptsUnderWay {
  readonly #attempts = new Map<string, Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  get size(): number {
    return this.#attempts.size;
  }

  /** Returns a filter that leaves out deliveries whose attempt is in progress now. */
  others(): (due: DueDelivery) => boolean {
    const names = new Set(this.#attempts.keys());
    return (due) => !names.has(nameOf(due));
  }

  add(due: DueDelivery, attempt: Promise<void>): void {
    const name = nameOf(due);
    const ended = attempt
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#attempts.delete(name));
    this.#attempts.set(name, ended);
  }

  /** Waits until one of the attempts ends. @throws the first failure of an attempt, which stops the sender */
  async oneEnded(): Promise<void> {
    await Promise.race(this.#attempts.values());
    this.throwFailure();
  }

  /** Waits until all attempts have ended, or until `orElse` resolves. @throws the first failure of an attempt */
  async ended(orElse?: Promise<unknown>): Promise<void> {
    await Promise.race([Promise.all(this.#attempts.values()), ...(orElse ? [orElse] : [])]);
    this.throwFailure();
  }

  throwFailure(): void {
    if (this.#failure) throw this.#failure.error;
  }
}
