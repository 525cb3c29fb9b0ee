// Charges a version of a file once per account and 24 hours, however many parts are fetched (D47): all of them go under one charge, which the
// ledger records once.
import { randomUUID } from 'node:crypto';
import { AppError } from '../../../errors';
import { FILE_CHARGED_MS } from '../../../plans/cost';
import type { DownloadStore } from '../../../store/bulk/downloads';
import type { Meter, MeteredCall } from '../meter';
import { chargeId } from './charge-id';

export interface FileCharges {
  /** `name`: of the version. What it resolves to takes the charge back; undefined if this call charged nothing. Throws to refuse. */
  charge(call: MeteredCall, name: string): ReturnType<Meter['charge']>;
}

export interface FileChargeDeps {
  readonly meter: Meter;
  readonly downloads: DownloadStore;
  /** Epoch milliseconds. */
  wallMs(): number;
}

export function createFileCharges({ meter, downloads, wallMs }: FileChargeDeps): FileCharges {
  const underWay = new Map<string, Promise<unknown>>();

  const charged = async (call: MeteredCall, name: string): ReturnType<Meter['charge']> => {
    const download = { accountId: call.caller.accountId, name };
    const nowMs = wallMs();
    const id = chargeId(nowMs, randomUUID());
    const claim = await downloads.claim(download, id, iso(nowMs), iso(nowMs - FILE_CHARGED_MS));
    if (claim.charged) return undefined;
    try {
      // Another part may have paid for it, with the credits that are missing now.
      if (!claim.shared) meter.precheck(call);
      const under = { id: claim.charge_id, atMs: Date.parse(claim.begun_at), download: name };
      return await meter.charge({ ...call, under });
    } catch (error) {
      // Otherwise the outcome is not known: the meter takes the charge back.
      if (error instanceof AppError) await downloads.release(claim.charge_id, download).catch(() => {});
      throw error;
    }
  };

  return {
    async charge(call, name) {
      if (call.caller.role !== 'customer') return meter.charge(call);
      const key = `${call.caller.accountId} ${name}`;
      // The parts of one client come at once.
      while (underWay.has(key)) await underWay.get(key)!.catch(() => {});
      const work = charged(call, name);
      underWay.set(key, work);
      try {
        return await work;
      } finally {
        underWay.delete(key);
      }
    },
  };
}

const iso = (ms: number): string => new Date(ms).toISOString();
