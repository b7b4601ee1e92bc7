import type { Receipt } from '@palimpsest/core';

/** What was hidden at one request, for those whose request it was. */
export interface FiledReceipt {
  readonly request: string;
  readonly session: string;
  readonly at: number;
  readonly receipt: Receipt;
}

/** The newest receipts, in memory. */
export interface Receipts {
  file(owners: readonly string[], receipt: FiledReceipt): void;
  /** Undefined for one that is not there and for one of somebody else alike. */
  find(request: string, owners: readonly string[]): FiledReceipt | undefined;
}

const MOST_RECEIPTS = 1_000;

export function createReceipts(): Receipts {
  const filed = new Map<string, { readonly owners: readonly string[]; readonly receipt: FiledReceipt }>();
  return {
    file(owners, receipt) {
      filed.set(receipt.request, { owners, receipt });
      const [oldest] = filed.keys();
      if (filed.size > MOST_RECEIPTS && oldest !== undefined) filed.delete(oldest);
    },
    find(request, owners) {
      const found = filed.get(request);
      return found?.owners.some((owner) => owners.includes(owner)) ? found.receipt : undefined;
    },
  };
}
